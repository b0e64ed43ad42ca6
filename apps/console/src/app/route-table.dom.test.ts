import { screen } from '@testing-library/react'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { matchPath } from 'react-router'
import { describe, expect, it } from 'vitest'
import { fakeServer, succeeded } from '../../test/fake-server.ts'
import { renderScreen } from '../../test/render-screen.tsx'
import { aStatus, aUser } from '../../test/samples.ts'
import { HelpPageContext } from '../ui/page/help-link.tsx'
import { SCREENS, startingPath } from './route-table.ts'

const loggedOut = { user: null, ended: null }
const guardOf = (address: string) => SCREENS.find(({ path }) => matchPath(path, address))

describe('the pages of the console', () => {
  it.each(
    [
      '/ /setup /login /register /reset /user/reset /oauth/github /oauth/oidc /oauth/linuxdo /oauth/telegram',
      '/pricing /about /chat /chat/2 /chat2link',
    ].flatMap((line) => line.split(' ')),
  )('%s is public', (address) => {
    expect(guardOf(address)).toMatchObject({ guard: 'none' })
    expect(guardOf(address)?.path).not.toBe('*')
  })

  it.each(
    [
      '/app/tokens /playground /app/me /app/wallet /app/wallet/topup-success /app/logs/api-usage /app/logs/drawing',
      '/app/logs/request/20261115093005123AbCdEfGh',
      '/app/logs/tasks /app/dashboard /app/inbox /app/inbox/5',
    ].flatMap((line) => line.split(' ')),
  )('%s needs a login', (address) => {
    expect(guardOf(address)).toMatchObject({ guard: 'login' })
  })

  it.each(
    [
      '/admin/messages /admin/settings /app/shadow /admin/channels /channel/edit/3 /channel/add /admin/coupons',
      '/admin/users /user/edit/3 /user/edit /admin/prices',
    ].flatMap((line) => line.split(' ')),
  )('%s needs an administrator', (address) => {
    expect(guardOf(address)).toMatchObject({ guard: 'admin' })
  })

  it('/admin/audit needs the super admin', () => {
    expect(guardOf('/admin/audit')).toMatchObject({ guard: 'root' })
  })

  it('other paths are not found', () => {
    expect(guardOf('/app/nothing/here')).toMatchObject({ path: '*', title: 'notFound' })
  })

  it('every page can be loaded', async () => {
    const loaded = await Promise.all(SCREENS.map(({ load }) => load()))

    expect(loaded.every(({ default: component }) => typeof component === 'function')).toBe(true)
  })
})

describe('startingPath', () => {
  it('redirects from pages that the user cannot see', () => {
    expect(startingPath({ pathname: '/app/me', search: '' }, aStatus(), loggedOut)).toBe('/login?returnTo=%2Fapp%2Fme')
    expect(startingPath({ pathname: '/login', search: '' }, aStatus({ setup: false }), loggedOut)).toBe('/setup')
    expect(startingPath({ pathname: '/app/me', search: '' }, aStatus(), { user: aUser(), ended: null })).toBeNull()
  })
})

describe('the documentation of a page', () => {
  const SOURCES = join(import.meta.dirname, '..')
  const DOCS = join(import.meta.dirname, '../../../../docs')
  const DOCUMENT = /(['"`])((?:get-started|guides|concepts|reference)\/[a-z-]+(?:#[\w-]+)?)\1/g
  /** Every link to the documentation: of screens, sections of settings, empty and error states. */
  const pages = new Set(
    globSync('**/*.{ts,tsx}', { cwd: SOURCES, exclude: ['**/*.test.*'] }).flatMap((file) =>
      [...readFileSync(join(SOURCES, file), 'utf8').matchAll(DOCUMENT)].map(([, , page]) => page!),
    ),
  )

  it.each([...pages])('%s exists in both languages', (page) => {
    const [path, anchor] = page.split('#')
    for (const file of [`${path}.md`, `zh/${path}.md`].map((name) => join(DOCS, name))) {
      expect(existsSync(file), file).toBe(true)
      if (anchor === undefined) continue
      const heading = anchor.replaceAll('-', '[- ]')
      expect(readFileSync(file, 'utf8').toLowerCase()).toMatch(
        new RegExp(`^## ${heading}$|id="${anchor.toLowerCase()}"`, 'm'),
      )
    }
  })

  it('is found in the sources', () => {
    expect(pages.size).toBeGreaterThan(60)
    expect(SCREENS.flatMap(({ help = [] }) => help).filter((page) => !pages.has(page))).toEqual([])
  })

  it('belongs to every page', () => {
    const without = SCREENS.filter(({ path, help }) => help === undefined && path !== '/dev/ui')

    expect(without.map(({ path }) => path)).toEqual([])
  })

  it.each([
    ['/', 'get-started/connect'],
    ['/setup', 'get-started/quick-start#set-up-in-the-browser'],
    ['/login', 'guides/troubleshoot#login-and-console'],
    ['/register', 'guides/sign-in#who-gets-an-account'],
    ['/reset', 'guides/troubleshoot#login-and-console'],
    ['/user/reset', 'guides/troubleshoot#login-and-console'],
    ['/oauth/github', 'guides/sign-in#if-a-login-fails'],
    ['/about', 'get-started/connect'],
    ['/no/such/page', 'guides/troubleshoot'],
  ])('is linked on %s, which has no page header', async (at, page) => {
    fakeServer({
      'GET /api/setup': succeeded({ status: false, root_init: false, database_type: 'postgres', code_required: false }),
      'GET /api/about': succeeded(''),
      'GET /api/home_page_content': succeeded(''),
      'GET /api/pricing': { json: { success: true, data: [], group_ratio: {}, usable_group: {} } },
      'GET /api/pricing/figures': succeeded({ calls: 0, hours: [] }),
    })
    const { load, help } = guardOf(at)!
    const { default: Page } = await load()
    renderScreen(() => createElement(HelpPageContext, { value: help }, createElement(Page)), { at })

    expect((await screen.findByRole('link', { name: '查看指南' })).getAttribute('href')).toBe(`/docs/zh/${page}`)
  })
})
