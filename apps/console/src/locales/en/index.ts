import about from './about.ts'
import audit from './audit.ts'
import channels from './channels.ts'
import chat from './chat.ts'
import common from './common.ts'
import connect from './connect.ts'
import coupons from './coupons.ts'
import dashboard from './dashboard.ts'
import drawings from './drawings.ts'
import entry from './entry.ts'
import home from './home.ts'
import human from './human.ts'
import inbox from './inbox.ts'
import login from './login.ts'
import logs from './logs.ts'
import mapping from './mapping.ts'
import me from './me.ts'
import mediaTasks from './mediaTasks.ts'
import messages from './messages.ts'
import orders from './orders.ts'
import palette from './palette.ts'
import playground from './playground.ts'
import pricing from './pricing.ts'
import proof from './proof.ts'
import rates from './rates.ts'
import register from './register.ts'
import request from './request.ts'
import reset from './reset.ts'
import security from './security.ts'
import settings from './settings.ts'
import setup from './setup.ts'
import shadow from './shadow.ts'
import shell from './shell.ts'
import tasks from './tasks.ts'
import tokens from './tokens.ts'
import users from './users.ts'
import wallet from './wallet.ts'

/** All areas of one language, for types and tests; the console itself loads them one by one. */
export const texts = {
  about,
  audit,
  channels,
  chat,
  common,
  connect,
  coupons,
  dashboard,
  drawings,
  entry,
  home,
  human,
  inbox,
  login,
  logs,
  mapping,
  me,
  mediaTasks,
  messages,
  orders,
  playground,
  palette,
  pricing,
  proof,
  rates,
  register,
  request,
  reset,
  security,
  settings,
  setup,
  shadow,
  shell,
  tasks,
  tokens,
  users,
  wallet,
}
