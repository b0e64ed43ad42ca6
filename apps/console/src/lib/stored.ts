import type { Status, User } from '@tidegate/contract/api'
import { flag, json, oneOf, positiveNumber, storedItem, text } from './stored-item.ts'
import type { ThemeMode } from './theme/palette.ts'

export const PAGE_SIZES = [10, 20, 50, 100] as const
export type PageSize = (typeof PAGE_SIZES)[number]
export const DEFAULT_PAGE_SIZE: PageSize = 20

/** All items that the console keeps in local storage. Their names are a public contract and must not change. */
export const stored = {
  user: storedItem<User>('user', json(isUser)),
  status: storedItem<Status>('status', json(isStatus)),
  systemName: storedItem('system_name', text),
  logo: storedItem('logo', text),
  quotaPerUnit: storedItem('quota_per_unit', positiveNumber),
  displayInCurrency: storedItem('display_in_currency', flag),
  inviteCode: storedItem('aff', text),
  pageSize: storedItem('page-size', oneOf(PAGE_SIZES)),
  messagePageSize: storedItem('message-page-size', oneOf(PAGE_SIZES)),
  idSort: storedItem('id-sort', flag),
  tagMode: storedItem('enable-tag-mode', flag),
  channelColumns: storedItem('channels-table-columns', json(isFlagByName)),
  logColumns: storedItem('logs-table-columns', json(isFlagByName)),
  drawingColumns: storedItem('drawing-logs-table-columns', json(isFlagByName)),
  taskColumns: storedItem('task-logs-table-columns', json(isFlagByName)),
  shadowColumns: storedItem('shadow-table-columns', json(isFlagByName)),
  channelTests: storedItem('channel-test-results', json(isRecord)),
  channelModels: storedItem('channel_models', json(isTextListByName)),
  modelsExpanded: storedItem('modelsExpanded', flag),
  themeMode: storedItem('theme-mode', oneOf<ThemeMode>(['light', 'dark'])),
  collapseSidebar: storedItem('default_collapse_sidebar', flag),
  chats: storedItem('chats', json(isChats)),
  footerHtml: storedItem('footer_html', text),
  language: storedItem('i18nextLng', text),
  /** Hash of the announcement that the user has read. */
  noticeRead: storedItem('notice-read', text),
  enableDataExport: storedItem('enable_data_export', flag),
  enableDrawing: storedItem('enable_drawing', flag),
  enableTask: storedItem('enable_task', flag),
  drawingCallbacks: storedItem('mj_notify_enabled', flag),
  /** The user has dismissed the note about image task callbacks. */
  drawingCallbacksNoteRead: storedItem('mj-notify-note-read', flag),
  recentCommands: storedItem('palette-recent', json(isRecentChoices)),
} as const

/** A recent command of the palette. Search results also have a path. */
export interface RecentChoice {
  id: string
  group: string
  title: string
  hint?: string
  path?: string
}

/** Saves the server status, and copies some of its values to their own items. */
export function storeStatus(status: Status): void {
  stored.status.set(status)
  stored.systemName.set(status.system_name)
  stored.logo.set(status.logo)
  stored.footerHtml.set(status.footer_html)
  stored.quotaPerUnit.set(status.quota_per_unit)
  stored.displayInCurrency.set(status.display_in_currency)
  stored.chats.set(status.chats)
  stored.enableDataExport.set(status.enable_data_export)
  stored.enableDrawing.set(status.enable_drawing)
  stored.enableTask.set(status.enable_task)
  stored.drawingCallbacks.set(status.mj_notify_enabled)
  // The value of the server is only the default. The item keeps the choice of the user.
  if (stored.collapseSidebar.get() === null) stored.collapseSidebar.set(status.default_collapse_sidebar)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isUser(value: unknown): value is User {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value.id) &&
    typeof value.username === 'string' &&
    Number.isSafeInteger(value.role)
  )
}

function isStatus(value: unknown): value is Status {
  return isRecord(value) && typeof value.setup === 'boolean' && typeof value.system_name === 'string'
}

function isTextListByName(value: unknown): value is Record<string, string[]> {
  return isRecord(value) && Object.values(value).every((list) => Array.isArray(list) && list.every(isText))
}

function isFlagByName(value: unknown): value is Record<string, boolean> {
  return isRecord(value) && Object.values(value).every((shown) => typeof shown === 'boolean')
}

function isChats(value: unknown): value is Record<string, string>[] {
  return Array.isArray(value) && value.every((chat) => isRecord(chat) && Object.values(chat).every(isText))
}

function isRecentChoices(value: unknown): value is { user: number; choices: RecentChoice[] } {
  const isChoice = (choice: unknown) =>
    isRecord(choice) && ['id', 'group', 'title'].every((name) => isText(choice[name]))
  return (
    isRecord(value) && Number.isSafeInteger(value.user) && Array.isArray(value.choices) && value.choices.every(isChoice)
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
