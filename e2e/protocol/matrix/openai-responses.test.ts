import { playMatrix } from './play-matrix.ts'

playMatrix('openai-responses')
