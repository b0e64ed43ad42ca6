/** Moving in from other products, and taking everything out. */
export { Mistake } from './mistake.ts'
export { moveIn, type MoveIn, type MoveInOrder, type Proof, type Site } from './move-in/move-in.ts'
export { describeMoveIn } from './move-in/describe-move-in.ts'
export { AREAS, type Area, type Counts, type Finding, type Outcome } from './report.ts'
export { FORMS } from './source/open-source.ts'
export { takeOut, type TakeOutOrder } from './take-out/take-out.ts'
