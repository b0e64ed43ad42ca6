import { playMatrix } from './run-matrix.ts'

playMatrix('openai-responses')
