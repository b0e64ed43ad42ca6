import { playMatrix } from './run-matrix.ts'

playMatrix('gemini-generate')
