import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aStatus } from '../../../test/samples.ts'
import { SiteLinks } from './site-links.tsx'

const renderLinks = (docs_link: string) =>
  renderScreen(() => <SiteLinks className={undefined} />, { at: '/about', status: aStatus({ docs_link }) })
const docs = () => screen.queryByRole('link', { name: /^文档/ })

it.each(['/docs', 'https://docs.example/start'])('links to the documentation at %s in a new tab', (link) => {
  renderLinks(link)

  expect(docs()?.getAttribute('href')).toBe(link)
  expect(docs()?.getAttribute('target')).toBe('_blank')
})

it.each(['', '//evil.example', 'javascript:alert(1)'])('has no link to the documentation for %j', (link) => {
  renderLinks(link)

  expect(screen.getByRole('link', { name: '关于' })).toBeTruthy()
  expect(docs()).toBeNull()
})
