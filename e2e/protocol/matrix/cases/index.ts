import type { Case } from './case.ts'
import { ENDINGS } from './endings.ts'
import { MEDIA } from './media.ts'
import { SETTINGS } from './settings.ts'
import { THINKING } from './thinking.ts'
import { TOOLS } from './tools.ts'
import { TEXTS } from './text.ts'

export const CASES: readonly Case[] = [...TEXTS, ...TOOLS, ...THINKING, ...MEDIA, ...SETTINGS, ...ENDINGS]
