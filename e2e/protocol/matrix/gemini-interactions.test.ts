import { runMatrix } from './run-matrix.ts'

runMatrix('gemini-interactions')
