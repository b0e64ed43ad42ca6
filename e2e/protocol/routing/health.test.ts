import { describe } from 'vitest'
import { autoDisableTests } from './auto-disable.ts'
import { breakerTests } from './circuit-breaker.ts'
import { channelTestTests } from './channel-test.ts'
import { useSite } from './site.ts'

useSite()
describe('a circuit breaker', breakerTests)
describe('automatic disabling', autoDisableTests)
describe('testing a channel', channelTestTests)
