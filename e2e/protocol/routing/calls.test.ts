import { describe } from 'vitest'
import { choiceTests } from './choice.ts'
import { conversationTests } from './conversations.ts'
import { recordTests } from './records.ts'
import { retryTests } from './retries.ts'
import { useSite } from './this-site.ts'

useSite()
describe('choosing a channel', choiceTests)
describe('asking another channel', retryTests)
describe('a conversation', conversationTests)
describe('the log', recordTests)
