/** Imports sites of other products, and exports users. */
export { Mistake } from './errors.ts'
export { moveIn, type MoveIn, type MoveInOrder, type Proof, type Site } from './run/run-import.ts'
export { describeMoveIn } from './run/describe-import.ts'
export { AREAS, type Area, type Counts, type Finding, type Outcome } from './report.ts'
export { FORMS } from './sources/open-source.ts'
export { takeOut, type TakeOutOrder } from './export/export-users.ts'
