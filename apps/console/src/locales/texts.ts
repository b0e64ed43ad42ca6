import type admin from './zh/admin.json'
import type app from './zh/app.json'
import type settings from './zh/settings.json'

/** Texts by area. The keys of the Chinese files are the keys of every language. */
export type Texts = typeof app & typeof admin & typeof settings

/** `app` is loaded at the start, the others with the screens that need them. */
export type TextFile = 'app' | 'admin' | 'settings'
