import { playMatrix } from './play-matrix.ts'

playMatrix('anthropic-messages')
