(* Games in extensive form with two players, and the value of a game that is a payment from player 2 to player 1.

   Read this file and the rules of a game, and you know what the theorem of the game says. Everything else is checked by
   Coq. *)

From Coq Require Import QArith List NArith.
Import ListNotations.
Open Scope Q_scope.

Inductive player := One | Two.

(* A tree ends with a payoff to player 1; player 2 gets the opposite. A chance move has a probability for each branch.
   At a move, the player knows the information set only: a list of numbers. The moves of an information set are numbered
   0, 1, 2, ..., in the order of the branches. *)
Inductive tree :=
| End (payoff : Q)
| Chance (probabilities : list Q) (branches : list tree)
| Move (mover : player) (information_set : list N) (branches : list tree).

(* A behavior strategy gives a probability to each move of each information set. All numbers are fractions; since
   payoffs are continuous, what holds against all such strategies also holds against irrational ones. *)
Definition strategy := list N -> nat -> Q.

(* The sum of f 0 * x0 + f 1 * x1 + ... for a list [x0; x1; ...]. *)
Fixpoint mix (f : nat -> Q) (xs : list Q) : Q :=
  match xs with
  | [] => 0
  | x :: rest => f 0%nat * x + mix (fun i => f (S i)) rest
  end.

(* The numbers f 0, ..., f (n - 1) are probabilities with the sum 1; there is no such f for n = 0. *)
Definition distribution (n : nat) (f : nat -> Q) : Prop :=
  (forall i, (i < n)%nat -> 0 <= f i) /\ mix f (repeat 1 n) == 1.

Definition all (ps : list Prop) : Prop := fold_right and True ps.

(* At each chance move and each information set of the player in the tree, there is a distribution over the branches.
   (Coq accepts the recursion with `all`, but not with `Forall`.) *)
Fixpoint proper (who : player) (s : strategy) (t : tree) : Prop :=
  match t with
  | End _ => True
  | Chance ps branches =>
      distribution (length branches) (fun i => nth i ps 0) /\ all (map (proper who s) branches)
  | Move mover k branches =>
      (mover = who -> distribution (length branches) (s k)) /\ all (map (proper who s) branches)
  end.

(* The expected payoff to player 1. *)
Fixpoint pay (s : player -> strategy) (t : tree) : Q :=
  match t with
  | End u => u
  | Chance ps branches => mix (fun i => nth i ps 0) (map (pay s) branches)
  | Move mover k branches => mix (s mover k) (map (pay s) branches)
  end.

Definition both (s1 s2 : strategy) (who : player) : strategy :=
  match who with One => s1 | Two => s2 end.

(* The value of the game t is v: player 1 has a strategy that gets at least v against every strategy of player 2, and
   player 2 has a strategy that allows at most v to every strategy of player 1. *)
Definition value (t : tree) (v : Q) : Prop :=
  (exists s1, proper One s1 t /\ forall s2, proper Two s2 t -> v <= pay (both s1 s2) t) /\
  (exists s2, proper Two s2 t /\ forall s1, proper One s1 t -> pay (both s1 s2) t <= v).
