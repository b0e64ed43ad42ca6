import { runMatrix } from './run-matrix.ts'

runMatrix('openai-responses')
