(* Two games by their rules: Liar's Dice and Kuhn poker. *)

From Coq Require Import QArith List NArith.
From EfgBuilder Require Import Game.
Import ListNotations.
Open Scope Q_scope.

Definition uniform (branches : list tree) : tree :=
  Chance (repeat (1 # Pos.of_nat (length branches)) (length branches)) branches.

Definition opponent (who : player) : player := match who with One => Two | Two => One end.

(* A payment of `amount` to the winner by the other player. *)
Definition wins (who : player) (amount : Q) : tree := End (match who with One => amount | Two => - amount end).

(* --- Liar's Dice: each player rolls dice in secret; player 1 bids, then the players in turn bid higher or call. If the
   called bid is true, the bidder wins, otherwise the caller. *)

(* A bid says: on the table there are at least `fst` dice with the face `snd`. *)
Definition bid := (N * N)%type.

(* [1; ...; n] *)
Fixpoint one_to (n : nat) : list N := match n with O => [] | S m => one_to m ++ [N.of_nat n] end.

Fixpoint rolls (sides dice : nat) : list (list N) :=
  match dice with
  | O => [[]]
  | S more => flat_map (fun face => map (cons face) (rolls sides more)) (one_to sides)
  end.

Fixpoint insert (x : N) (xs : list N) : list N :=
  match xs with [] => [x] | y :: rest => if N.leb x y then x :: xs else y :: insert x rest end.

(* The order of the dice does not matter: hands that are equal up to their order share an information set. *)
Definition sorted (xs : list N) : list N := fold_right insert [] xs.

Definition holds (wild : option N) (dice : list N) (b : bid) : bool :=
  let matches die := N.eqb die (snd b) || match wild with Some face => N.eqb die face | None => false end in
  N.leb (fst b) (N.of_nat (length (filter matches dice))).

Section Round.
  Variables (wild : option N) (hand : player -> list N).

  Definition called (b : bid) (bidder : player) : tree :=
    wins (if holds wild (hand One ++ hand Two) b then bidder else opponent bidder) 1.

  (* One branch for each bid in `higher`, made by `who` after the bids in `history`. There the opponent moves, who knows
     only the own hand and all bids: one branch for each bid above b, which are the bids in `rest`; the last is the call. *)
  Fixpoint raises (higher : list bid) (who : player) (history : list N) : list tree :=
    match higher with
    | [] => []
    | b :: rest =>
        let now := history ++ [fst b; snd b] in
        Move (opponent who) (hand (opponent who) ++ now) (raises rest (opponent who) now ++ [called b who])
        :: raises rest who history
    end.
End Round.

(* All bids, lowest first: more dice, then a higher face; or a higher face, then more dice. *)
Definition quantity_face (sides dice : nat) : list bid :=
  flat_map (fun q => map (fun face => (q, face)) (one_to sides)) (one_to dice).
Definition face_quantity (sides dice : nat) : list bid :=
  flat_map (fun face => map (fun q => (q, face)) (one_to dice)) (one_to sides).

(* A wild face on which nobody may bid. *)
Definition without (face : N) (bids : list bid) : list bid := filter (fun b => negb (N.eqb (snd b) face)) bids.

Definition liars_dice_with (bids : list bid) (wild : option N) (sides dice1 dice2 : nat) : tree :=
  uniform (flat_map (fun roll1 => map (fun roll2 =>
    let hand who := match who with One => sorted roll1 | Two => sorted roll2 end in
    Move One (hand One) (raises wild hand bids One []))
    (rolls sides dice2)) (rolls sides dice1)).

Definition liars_dice (sides dice1 dice2 : nat) : tree :=
  liars_dice_with (quantity_face sides (dice1 + dice2)) None sides dice1 dice2.

(* --- Kuhn poker: both ante 1 and get one of three cards; check or bet 1; then fold or call. The higher card wins. *)

Definition kuhn : tree :=
  let deal c1 c2 :=
    let better := if N.ltb c2 c1 then One else Two in
    let answer who card history :=  (* 0: fold, 1: call *)
      Move who (card :: history) [wins (opponent who) 1; wins better 2] in
    Move One [c1] [  (* 0: check, 1: bet *)
      Move Two [c2; 0%N] [wins better 1; answer One c1 [0%N; 1%N]];
      answer Two c2 [1%N]] in
  uniform [deal 1 2; deal 1 3; deal 2 1; deal 2 3; deal 3 1; deal 3 2]%N.
