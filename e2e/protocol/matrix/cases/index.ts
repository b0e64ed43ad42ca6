import type { Case } from './case.ts'
import { ENDINGS } from './endings.ts'
import { MEDIA } from './media.ts'
import { SETTINGS } from './settings.ts'
import { THINKING } from './thinking.ts'
import { TOOLS } from './tools.ts'
import { WORDS } from './text.ts'

export const CASES: readonly Case[] = [...WORDS, ...TOOLS, ...THINKING, ...MEDIA, ...SETTINGS, ...ENDINGS]
