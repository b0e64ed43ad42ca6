import { playMatrix } from './run-matrix.ts'

playMatrix('anthropic-messages')
