import channels from './channels.ts'
import coming from './coming.ts'
import common from './common.ts'
import home from './home.ts'
import human from './human.ts'
import login from './login.ts'
import logs from './logs.ts'
import mapping from './mapping.ts'
import me from './me.ts'
import register from './register.ts'
import reset from './reset.ts'
import setup from './setup.ts'
import shell from './shell.ts'
import tokens from './tokens.ts'

/** All areas of one language, for types and tests; the console itself loads them one by one. */
export const texts = {
  channels,
  coming,
  common,
  home,
  human,
  login,
  logs,
  mapping,
  me,
  register,
  reset,
  setup,
  shell,
  tokens,
}
