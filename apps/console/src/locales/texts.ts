import type admin from './zh/admin.json'
import type app from './zh/app.json'
import type console from './zh/console.json'
import type exports from './zh/exports.json'
import type settings from './zh/settings.json'
import type shadow from './zh/shadow.json'

/** Texts by area. The keys of the Chinese files are the keys of every language. */
export type Texts = typeof app & typeof console & typeof admin & typeof exports & typeof settings & typeof shadow

/** `app` is loaded at the start, `console` with screens that need a login, the others with the screens that name them. */
export type TextFile = 'app' | 'console' | 'admin' | 'exports' | 'settings' | 'shadow'
