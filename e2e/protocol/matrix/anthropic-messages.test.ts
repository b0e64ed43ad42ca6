import { runMatrix } from './run-matrix.ts'

runMatrix('anthropic-messages')
