import { describe, expect, it } from 'vitest'
import { chatLinks, docsLink, hidesSidebar, sidebarSections } from './navigation.ts'

const all = { enable_data_export: true, enable_drawing: true, enable_task: true, enable_user_exports: true }
const none = { enable_data_export: false, enable_drawing: false, enable_task: false, enable_user_exports: false }
const keys = (...parameters: Parameters<typeof sidebarSections>) =>
  sidebarSections(...parameters).flatMap((section) => section.items.map((item) => item.key))

describe('the sidebar', () => {
  it('shows administrators all enabled entries', () => {
    expect(keys(all, { role: 10 })).toEqual([
      'dashboard',
      'tokens',
      'usageLogs',
      'drawingLogs',
      'taskLogs',
      'batches',
      'channels',
      'coupons',
      'orders',
      'messages',
      'users',
      'shadow',
      'settings',
      'wallet',
      'exports',
      'me',
    ])
  })

  it('shows the audit log only to the super admin', () => {
    expect(keys(none, { role: 100 })).toContain('audit')
    expect(keys(none, { role: 10 })).not.toContain('audit')
  })

  it('shows prices to users who can set them', () => {
    expect(keys(none, { role: 100 })).toContain('prices')
    expect(keys(none, { role: 10, settings_areas: ['prices'] })).toContain('prices')
    expect(keys(none, { role: 10, settings_areas: ['groups'] })).not.toContain('prices')
  })

  it('shows shadow mode to administrators', () => {
    expect(sidebarSections(none, { role: 10 }).find(({ key }) => key === 'admin')?.items).toContainEqual({
      key: 'shadow',
      path: '/app/shadow',
    })
    expect(keys(all, { role: 1 })).not.toContain('shadow')
  })

  it('has no admin section for ordinary users', () => {
    expect(sidebarSections(all, { role: 1 }).map((section) => section.key)).toEqual(['console', 'personal'])
  })

  it('leaves out disabled entries', () => {
    expect(keys(none, { role: 1 })).toEqual(['tokens', 'usageLogs', 'batches', 'wallet', 'me'])
  })

  it.each(['/', '/home', '/setup', '/chat2link'])('is hidden on %s', (path) => {
    expect(hidesSidebar(path)).toBe(true)
  })

  it.each(['/app/tokens', '/pricing', '/chat', '/chat/3', '/chatty', '/setup-guide'])('is shown on %s', (path) => {
    expect(hidesSidebar(path)).toBe(false)
  })

  it('links to the saved chats by their index', () => {
    expect(chatLinks([{ Next: 'https://a.test' }, {}, { Lobe: 'https://b.test' }])).toEqual([
      { name: 'Next', path: '/chat/0' },
      { name: 'Lobe', path: '/chat/2' },
    ])
  })
})

describe('docsLink', () => {
  it.each([
    'https://docs.example/start',
    'http://10.0.0.2:3000/',
    'HTTPS://DOCS.EXAMPLE',
    '/docs',
    '/docs/zh/?a=1#b',
    '/',
  ])('accepts %s', (link) => {
    expect(docsLink(link)).toBe(link)
  })

  it.each([
    '',
    'docs',
    'docs.example',
    '//evil.example',
    String.raw`/\evil.example`,
    '/\t/evil.example',
    '/\n/evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://',
  ])('rejects %j', (link) => {
    expect(docsLink(link)).toBe('')
  })
})
