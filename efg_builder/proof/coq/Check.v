(* A program that checks two strategies, and the proof that the value of the game is what it says.

   One strategy is fixed. All that the other player can still reach is added up in a tree of the other player's own moves,
   a trie: a node holds what is paid without a further move, and the information sets that may come next. The least that
   the other player pays is found from the ends. It is a bound for every strategy, with or without perfect recall. *)

From Coq Require Import QArith Qreduction List NArith FMapPositive Lia Bool PeanoNat.
From EfgBuilder Require Import Game.
Import ListNotations.
Open Scope Q_scope.

(* --- sums *)

(* The library of Coq has this under a name that depends on the version. *)
Lemma length_of_map {A B} (f : A -> B) xs : length (map f xs) = length xs.
Proof. induction xs; simpl; congruence. Qed.

Lemma mix_ext f g xs : (forall i, (i < length xs)%nat -> f i == g i) -> mix f xs == mix g xs.
Proof.
  revert f g; induction xs as [|x xs IH]; intros f g H; simpl; [reflexivity|].
  rewrite (H 0%nat) by (simpl; lia). rewrite (IH _ (fun i => g (S i))); [reflexivity|].
  intros i L. apply H. simpl; lia.
Qed.

Lemma mix_map {A} f (g h : A -> Q) xs :
  Forall (fun x => g x == h x) xs -> mix f (map g xs) == mix f (map h xs).
Proof.
  intro H; revert f; induction H as [|x xs E H IH]; intro f; simpl; [reflexivity|]. rewrite E, IH; reflexivity.
Qed.

Lemma mix_scale c f xs : mix f (map (fun x => c * x) xs) == c * mix f xs.
Proof. revert f; induction xs as [|x xs IH]; intro f; simpl; [ring|]. rewrite IH; ring. Qed.

Lemma mix_least m f xs :
  distribution (length xs) f -> Forall (fun x => m <= x) xs -> m <= mix f xs.
Proof.
  intros [P S1] H.
  assert (G : mix f (repeat m (length xs)) <= mix f xs).
  { clear S1. revert f P; induction H as [|x xs L H IH]; intros f P; simpl; [apply Qle_refl|].
    apply Qplus_le_compat.
    - rewrite (Qmult_comm _ m), (Qmult_comm _ x). apply Qmult_le_compat_r; [exact L|]. apply P. simpl; lia.
    - apply IH. intros i Li. apply P. simpl; lia. }
  apply Qle_trans with (2 := G).
  assert (R : forall n g, mix g (repeat m n) == m * mix g (repeat 1 n)).
  { induction n as [|n IH]; intro g; simpl; [ring|]. rewrite IH; ring. }
  rewrite R, S1. apply Qle_lteq; right; ring.
Qed.

(* --- tries *)

Inductive trie := Node (paid : Q) (sets : list (list N * list trie)).

Definition none : trie := Node 0 [].

Section Ev.
  Variable s : strategy.

  Fixpoint ev (t : trie) : Q :=
    match t with
    | Node u sets => u + fold_right (fun e rest => mix (s (fst e)) (map ev (snd e)) + rest) 0 sets
    end.

  Fixpoint fits (t : trie) : Prop :=
    match t with
    | Node _ sets =>
        all (map (fun e => distribution (length (snd e)) (s (fst e)) /\ all (map fits (snd e))) sets)
    end.
End Ev.

Definition sums (s : strategy) (sets : list (list N * list trie)) : Q :=
  fold_right (fun e rest => mix (s (fst e)) (map (ev s) (snd e)) + rest) 0 sets.

Lemma sums_cons s k cs rest : sums s ((k, cs) :: rest) = mix (s k) (map (ev s) cs) + sums s rest.
Proof. reflexivity. Qed.

Definition plus (x y : Q) : Q := Qred (x + y).
Definition by_ (x y : Q) : Q := Qred (x * y).

Fixpoint same (k l : list N) : bool :=
  match k, l with
  | [], [] => true
  | x :: k', y :: l' => N.eqb x y && same k' l'
  | _, _ => false
  end.

Lemma same_eq k l : same k l = true -> k = l.
Proof.
  revert l; induction k as [|x k IH]; intros [|y l] H; simpl in H; try discriminate; [reflexivity|].
  apply andb_prop in H as [E H]. apply N.eqb_eq in E. rewrite E, (IH l H). reflexivity.
Qed.

(* Apply functions to the members of a list of the same length. *)
Fixpoint each (fs : list (trie -> trie)) (ts : list trie) : list trie :=
  match fs, ts with
  | f :: fs', t :: ts' => f t :: each fs' ts'
  | _, _ => []
  end.

(* Put an information set into a list: its branches `cs`, or, if it is there, what `adders` make of the branches. *)
Fixpoint put (k : list N) (cs : list trie) (adders : list (trie -> trie)) (sets : list (list N * list trie)) :=
  match sets with
  | [] => [(k, cs)]
  | (l, ds) :: rest =>
      if same k l && Nat.eqb (length adders) (length ds) then (l, each adders ds) :: rest
      else (l, ds) :: put k cs adders rest
  end.

Fixpoint add (a : trie) (b : trie) {struct a} : trie :=
  match a, b with
  | Node u xs, Node v ys =>
      Node (plus u v) (fold_right (fun e acc => put (fst e) (snd e) (map add (snd e)) acc) ys xs)
  end.

Section TrieInd.
  Variable P : trie -> Prop.
  Hypothesis H : forall u sets, Forall (fun e => Forall P (snd e)) sets -> P (Node u sets).
  Fixpoint trie_induction (t : trie) : P t :=
    match t with
    | Node u sets =>
        H u sets ((fix over sets : Forall (fun e : list N * list trie => Forall P (snd e)) sets :=
          match sets with
          | [] => Forall_nil _
          | e :: rest =>
              Forall_cons e ((fix inner ts : Forall P ts :=
                match ts with
                | [] => Forall_nil _
                | t' :: ts' => Forall_cons t' (trie_induction t') (inner ts')
                end) (snd e)) (over rest)
          end) sets)
    end.
End TrieInd.

Lemma each_ev s f adders cs ds :
  adders = map add cs ->
  Forall (fun c => forall b, ev s (add c b) == ev s c + ev s b) cs -> length adders = length ds ->
  mix f (map (ev s) (each adders ds)) == mix f (map (ev s) cs) + mix f (map (ev s) ds).
Proof.
  intros -> H; revert f ds; induction H as [|c cs E H IH]; intros f [|d ds] L; simpl in *; try discriminate; [ring|].
  rewrite E, IH by congruence. ring.
Qed.

Lemma put_ev s k cs sets :
  Forall (fun c => forall b, ev s (add c b) == ev s c + ev s b) cs ->
  sums s (put k cs (map add cs) sets) == mix (s k) (map (ev s) cs) + sums s sets.
Proof.
  intro H; induction sets as [|[l ds] rest IH]; cbn [put]; [reflexivity|].
  destruct (same k l && Nat.eqb (length (map add cs)) (length ds)) eqn:E; rewrite !sums_cons.
  - apply andb_prop in E as [E L]. apply same_eq in E as ->. apply Nat.eqb_eq in L.
    rewrite (each_ev s (s l) _ cs ds eq_refl H L). ring.
  - rewrite IH. ring.
Qed.

Lemma ev_node s u sets : ev s (Node u sets) = u + sums s sets.
Proof. reflexivity. Qed.

Lemma add_ev s a b : ev s (add a b) == ev s a + ev s b.
Proof.
  revert b; induction a as [u xs H] using trie_induction; intros [v ys].
  cbn [add]. rewrite !ev_node.
  assert (G : sums s (fold_right (fun e acc => put (fst e) (snd e) (map add (snd e)) acc) ys xs)
              == sums s xs + sums s ys).
  { induction H as [|[k cs] xs E H IH]; cbn [fold_right fst snd]; [unfold sums; simpl; ring|].
    rewrite (put_ev s k cs), IH, sums_cons by exact E. ring. }
  rewrite G. unfold plus. rewrite Qred_correct. ring.
Qed.

(* --- what fits *)

Lemma all_forall {A} (P : A -> Prop) xs : all (map P xs) <-> Forall P xs.
Proof.
  split.
  - induction xs; simpl; intro H; constructor; tauto.
  - induction 1; simpl; [exact I|tauto].
Qed.

Definition fit (s : strategy) (e : list N * list trie) : Prop :=
  distribution (length (snd e)) (s (fst e)) /\ Forall (fits s) (snd e).

Lemma fits_node s u sets : fits s (Node u sets) <-> Forall (fit s) sets.
Proof.
  cbn [fits]. rewrite all_forall. unfold fit. split; apply Forall_impl; intros e [D F]; split; auto;
    apply all_forall; exact F.
Qed.

Lemma each_fits s cs ds :
  Forall (fun c => forall b, fits s c -> fits s b -> fits s (add c b)) cs ->
  Forall (fits s) cs -> Forall (fits s) ds -> Forall (fits s) (each (map add cs) ds).
Proof.
  intro H; revert ds; induction H as [|c cs E H IH]; intros [|d ds] C D; simpl; constructor.
  - apply E; [inversion C|inversion D]; assumption.
  - apply IH; [inversion C|inversion D]; assumption.
Qed.

Lemma each_length cs ds : length (map add cs) = length ds -> length (each (map add cs) ds) = length ds.
Proof. revert ds; induction cs as [|c cs IH]; intros [|d ds] L; simpl in *; auto. Qed.

Lemma put_fits s k cs sets :
  Forall (fun c => forall b, fits s c -> fits s b -> fits s (add c b)) cs ->
  fit s (k, cs) -> Forall (fit s) sets -> Forall (fit s) (put k cs (map add cs) sets).
Proof.
  intros H K S; induction S as [|[l ds] rest D S IH]; simpl; [constructor; [exact K|constructor]|].
  destruct (same k l && Nat.eqb (length (map add cs)) (length ds)) eqn:E; constructor; auto.
  apply andb_prop in E as [_ L]. apply Nat.eqb_eq in L. destruct D as [D1 D2], K as [_ K2]. split; simpl in *.
  - rewrite each_length by exact L. exact D1.
  - apply each_fits; assumption.
Qed.

Lemma add_fits s a b : fits s a -> fits s b -> fits s (add a b).
Proof.
  revert b; induction a as [u xs H] using trie_induction; intros [v ys] A B.
  cbn [add]. rewrite fits_node in *. induction H as [|[k cs] xs E H IH]; simpl; [exact B|].
  inversion A; subst. apply put_fits; auto.
Qed.

(* --- the least that is paid *)

Fixpoint least (xs : list Q) : Q :=
  match xs with
  | [] => 0
  | [x] => x
  | x :: rest => let m := least rest in if Qle_bool x m then x else m
  end.

Lemma least_cons x y xs :
  least (x :: y :: xs) = if Qle_bool x (least (y :: xs)) then x else least (y :: xs).
Proof. reflexivity. Qed.

Lemma least_le xs : Forall (fun x => least xs <= x) xs.
Proof.
  induction xs as [|x xs IH]; [constructor|]. destruct xs as [|y xs]; [repeat constructor; apply Qle_refl|].
  rewrite least_cons. destruct (Qle_bool x (least (y :: xs))) eqn:E.
  - apply Qle_bool_iff in E. constructor; [apply Qle_refl|].
    eapply Forall_impl; [|exact IH]. intros z Z. apply Qle_trans with (1 := E), Z.
  - constructor; [|exact IH]. apply Qlt_le_weak, Qnot_le_lt. intro L. apply Qle_bool_iff in L. congruence.
Qed.

Fixpoint low (t : trie) : Q :=
  match t with
  | Node u sets => fold_right (fun e rest => plus (least (map low (snd e))) rest) u sets
  end.

Lemma low_le s t : fits s t -> low t <= ev s t.
Proof.
  induction t as [u sets H] using trie_induction. intro F. apply fits_node in F. rewrite ev_node. cbn [low].
  induction H as [|[k cs] sets E H IH]; simpl; [apply Qle_lteq; right; ring|].
  inversion F as [|? ? [D C] F']; subst. unfold plus at 1. rewrite Qred_correct. simpl in *.
  assert (M : least (map low cs) <= mix (s k) (map (ev s) cs)).
  { apply mix_least; [rewrite length_of_map; exact D|].
    assert (L := least_le (map low cs)). clear D F F' IH H.
    assert (G : forall m, Forall (fun x => m <= x) (map low cs) -> Forall (fun x => m <= x) (map (ev s) cs)).
    { intros m Hm. rewrite Forall_map in *. rewrite Forall_forall in *. intros c I.
      apply Qle_trans with (1 := Hm c I). apply (E c I), (C c I). }
    apply G, L. }
  specialize (IH F'). unfold sums in IH.
  rewrite Qplus_comm, (Qplus_comm (mix _ _)), Qplus_assoc. apply Qplus_le_compat; assumption.
Qed.

(* --- from a tree to a trie *)

Definition is (p q : player) : bool := match p, q with One, One | Two, Two => true | _, _ => false end.

(* Add up what the tries of the branches pay, each with its probability times w. *)
Fixpoint spread (f : nat -> Q) (w : Q) (branches : list (Q -> trie)) (sum : trie) : trie :=
  match branches with
  | [] => sum
  | branch :: rest =>
      let p := by_ w (f 0%nat) in
      spread (fun i => f (S i)) w rest (if Qeq_bool p 0 then sum else add (branch p) sum)
  end.

(* What the other player can still reach with the strategy s of `who`, times w. *)
Fixpoint collect (who : player) (s : strategy) (t : tree) (w : Q) {struct t} : trie :=
  match t with
  | End u => Node (by_ w u) []
  | Chance ps branches => spread (fun i => nth i ps 0) w (map (collect who s) branches) none
  | Move mover k branches =>
      if is mover who then spread (s k) w (map (collect who s) branches) none
      else Node 0 [(k, map (fun b => collect who s b w) branches)]
  end.

Section TreeInd.
  Variable P : tree -> Prop.
  Hypothesis HE : forall u, P (End u).
  Hypothesis HC : forall ps ts, Forall P ts -> P (Chance ps ts).
  Hypothesis HM : forall p k ts, Forall P ts -> P (Move p k ts).
  Fixpoint tree_induction (t : tree) : P t :=
    let over := fix over ts : Forall P ts :=
      match ts with
      | [] => Forall_nil _
      | t' :: ts' => Forall_cons t' (tree_induction t') (over ts')
      end in
    match t with
    | End u => HE u
    | Chance ps ts => HC ps ts (over ts)
    | Move p k ts => HM p k ts (over ts)
    end.
End TreeInd.

Definition other (who : player) : player := match who with One => Two | Two => One end.

Lemma spread_ev who s s' ts f w sum :
  Forall (fun t => forall w, ev s' (collect who s t w) == w * pay (fun p => if is p who then s else s') t) ts ->
  ev s' (spread f w (map (collect who s) ts) sum)
  == ev s' sum + w * mix f (map (pay (fun p => if is p who then s else s')) ts).
Proof.
  intro H; revert f sum; induction H as [|t ts E H IH]; intros f sum; simpl; [ring|].
  rewrite IH. unfold by_. destruct (Qeq_bool (Qred (w * f 0%nat)) 0) eqn:Z.
  - apply Qeq_bool_iff in Z. rewrite Qred_correct in Z. rewrite Qmult_plus_distr_r, Qmult_assoc, Z. ring.
  - rewrite add_ev, E, Qred_correct. ring.
Qed.

Lemma collect_ev who s s' t w :
  ev s' (collect who s t w) == w * pay (fun p => if is p who then s else s') t.
Proof.
  revert w; induction t as [u|ps ts H|p k ts H] using tree_induction; intro w.
  - cbn [collect pay ev fold_right]. unfold by_. rewrite Qred_correct. ring.
  - cbn [collect pay]. rewrite spread_ev by exact H. simpl. ring.
  - cbn [collect pay]. destruct (is p who).
    + rewrite spread_ev by exact H. simpl. ring.
    + cbn [ev fold_right fst snd]. rewrite map_map.
      rewrite (mix_map _ _ (fun b => w * pay (fun q => if is q who then s else s') b)).
      * rewrite <- (map_map (pay _) (fun x => w * x)), mix_scale. ring.
      * eapply Forall_impl; [|exact H]. intros t E. apply E.
Qed.

Lemma spread_fits who s s' ts f w sum :
  Forall (fun t => forall w, fits s' (collect who s t w)) ts -> fits s' sum ->
  fits s' (spread f w (map (collect who s) ts) sum).
Proof.
  intro H; revert f sum; induction H as [|t ts E H IH]; intros f sum F; simpl; [exact F|].
  apply IH. destruct (Qeq_bool _ 0); [exact F|]. apply add_fits; auto.
Qed.

Lemma is_other p who : is p who = false -> p = other who.
Proof. destruct p, who; simpl; congruence. Qed.

Lemma collect_fits who s s' t w : proper (other who) s' t -> fits s' (collect who s t w).
Proof.
  revert w; induction t as [u|ps ts H|p k ts H] using tree_induction; intros w P; cbn [collect proper] in *.
  - exact I.
  - destruct P as [_ P]. apply spread_fits; [|exact I]. apply all_forall in P. rewrite Forall_forall in *.
    intros t T w'. auto.
  - destruct P as [D P]. apply all_forall in P. destruct (is p who) eqn:E.
    + apply spread_fits; [|exact I]. rewrite Forall_forall in *. intros t T w'. auto.
    + apply fits_node. constructor; [|constructor]. split; simpl.
      * rewrite length_of_map. apply D, is_other, E.
      * rewrite Forall_map, Forall_forall in *. auto.
Qed.

(* --- strategies that are distributions *)

Fixpoint total (f : nat -> Q) (n : nat) (sum : Q) : Q :=
  match n with
  | O => sum
  | S m => total (fun i => f (S i)) m (plus sum (f 0%nat))
  end.

Fixpoint nonnegative (f : nat -> Q) (n : nat) : bool :=
  match n with
  | O => true
  | S m => Qle_bool 0 (f 0%nat) && nonnegative (fun i => f (S i)) m
  end.

Definition distributed (n : nat) (f : nat -> Q) : bool := nonnegative f n && Qeq_bool (total f n 0) 1.

Fixpoint properly (who : player) (s : strategy) (t : tree) : bool :=
  match t with
  | End _ => true
  | Chance ps branches =>
      distributed (length branches) (fun i => nth i ps 0) && forallb (properly who s) branches
  | Move mover k branches =>
      (if is mover who then distributed (length branches) (s k) else true) && forallb (properly who s) branches
  end.

Lemma distributed_ok n f : distributed n f = true -> distribution n f.
Proof.
  unfold distributed; intro H. apply andb_prop in H as [P T]. split.
  - clear T. revert f P; induction n as [|n IH]; intros f P i L; [lia|]. simpl in P. apply andb_prop in P as [P0 P].
    destruct i as [|i]; [apply Qle_bool_iff, P0|]. apply (IH (fun i => f (S i)) P). lia.
  - apply Qeq_bool_iff in T. clear P. apply Qeq_trans with (2 := T). clear T.
    assert (G : forall sum, total f n sum == sum + mix f (repeat 1 n)).
    { revert f; induction n as [|n IH]; intros f sum; simpl; [ring|]. rewrite IH. unfold plus.
      rewrite Qred_correct. ring. }
    rewrite G. ring.
Qed.

Lemma properly_ok who s t : properly who s t = true -> proper who s t.
Proof.
  induction t as [u|ps ts H|p k ts H] using tree_induction; cbn [properly proper]; intro E; [exact I| |].
  - apply andb_prop in E as [D E]. split; [apply distributed_ok, D|].
    apply all_forall. rewrite forallb_forall in E. rewrite Forall_forall in *. auto.
  - apply andb_prop in E as [D E]. split.
    + intros ->. apply distributed_ok. destruct who; exact D.
    + apply all_forall. rewrite forallb_forall in E. rewrite Forall_forall in *. auto.
Qed.

(* --- the check *)

(* The strategy s of player 1 gets at least v. *)
Definition gets (s : strategy) (t : tree) (v : Q) : bool :=
  properly One s t && Qle_bool v (low (collect One s t 1)).

(* The strategy s of player 2 allows at most v. *)
Definition allows (s : strategy) (t : tree) (v : Q) : bool :=
  properly Two s t && Qle_bool (- v) (low (collect Two s t (-1))).

Lemma pay_both s1 s2 t : pay (fun p => if is p One then s1 else s2) t == pay (both s1 s2) t.
Proof.
  induction t as [u|ps ts H|p k ts H] using tree_induction; cbn [pay]; [reflexivity| |].
  - apply mix_map, H.
  - destruct p; cbn [is both]; apply mix_map, H.
Qed.

Lemma pay_both' s1 s2 t : pay (fun p => if is p Two then s2 else s1) t == pay (both s1 s2) t.
Proof.
  induction t as [u|ps ts H|p k ts H] using tree_induction; cbn [pay]; [reflexivity| |].
  - apply mix_map, H.
  - destruct p; cbn [is both]; apply mix_map, H.
Qed.

Theorem checked s1 s2 t v : gets s1 t v = true -> allows s2 t v = true -> value t v.
Proof.
  unfold gets, allows. intros G A. apply andb_prop in G as [P1 G], A as [P2 A].
  apply Qle_bool_iff in G, A. split; [exists s1|exists s2]; (split; [apply properly_ok; assumption|]).
  - intros s P. apply Qle_trans with (1 := G).
    assert (L := low_le s _ (collect_fits One s1 s t 1 P)). rewrite collect_ev, pay_both in L.
    rewrite <- (Qmult_1_l (pay _ t)). exact L.
  - intros s P.
    assert (L := low_le s _ (collect_fits Two s2 s t (-1) P)). rewrite collect_ev, pay_both' in L.
    assert (N := Qle_trans _ _ _ A L). apply Qopp_le_compat in N. rewrite Qopp_involutive in N.
    apply Qle_trans with (2 := N). apply Qle_lteq; right; ring.
Qed.

(* A game has no second value. *)
Theorem only_one t v w : value t v -> value t w -> v == w.
Proof.
  assert (G : forall v w, value t v -> value t w -> v <= w).
  { intros x y [[s1 [P1 L]] _] [_ [s2 [P2 U]]]. exact (Qle_trans _ _ _ (L s2 P2) (U s1 P1)). }
  intros V W. apply Qle_antisym; apply G; assumption.
Qed.

(* --- strategies from a file *)

(* A number for a list of numbers: each binary digit after a 1, and each end as a 0. *)
Fixpoint push (x rest : positive) : positive :=
  match x with xI p => xI (xI (push p rest)) | xO p => xI (xO (push p rest)) | xH => xO rest end.

Definition code (k : list N) : positive := fold_right (fun x rest => push (N.succ_pos x) rest) xH k.

(* The strategy with these probabilities; at other information sets, the first move. *)
Definition table (entries : list (list N * list Q)) : strategy :=
  let found := fold_left (fun m e => PositiveMap.add (code (fst e)) (snd e) m) entries (PositiveMap.empty _) in
  fun k =>
    match PositiveMap.find (code k) found with
    | Some ps => fun i => nth i ps 0
    | None => fun i => match i with O => 1 | S _ => 0 end
    end.
