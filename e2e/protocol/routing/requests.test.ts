import { describe } from 'vitest'
import { choiceTests } from './channel-selection.ts'
import { conversationTests } from './session-affinity.ts'
import { recordTests } from './records.ts'
import { retryTests } from './retries.ts'
import { useSite } from './site.ts'

useSite()
describe('choosing a channel', choiceTests)
describe('asking another channel', retryTests)
describe('a conversation', conversationTests)
describe('the log', recordTests)
