import { playMatrix } from './play-matrix.ts'

playMatrix('gemini-generate')
