import { describe } from 'vitest'
import { choiceTests } from './channel-selection.ts'
import { sessionAffinityTests } from './session-affinity.ts'
import { recordTests } from './records.ts'
import { retryTests } from './retries.ts'
import { useSite } from './site.ts'

useSite()
describe('channel selection', choiceTests)
describe('fallback to another channel', retryTests)
describe('session affinity', sessionAffinityTests)
describe('the log', recordTests)
