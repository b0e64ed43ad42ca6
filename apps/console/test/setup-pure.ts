import { beforeEach } from 'vitest'
import { startTestLanguage } from './language.ts'

beforeEach(() => startTestLanguage('zh'))
