import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aStatus } from '../../../test/samples.ts'
import { SiteLinks } from './site-links.tsx'

const draw = (docs_link: string) =>
  renderScreen(() => <SiteLinks className={undefined} />, { at: '/about', status: aStatus({ docs_link }) })
const docs = () => screen.queryByRole('link', { name: /^文档/ })

it.each(['/docs', 'https://docs.example/start'])('leads to the documentation at %s, in a window of its own', (link) => {
  draw(link)

  expect(docs()?.getAttribute('href')).toBe(link)
  expect(docs()?.getAttribute('target')).toBe('_blank')
})

it.each(['', '//evil.example', 'javascript:alert(1)'])('leads nowhere when the link is %j', (link) => {
  draw(link)

  expect(screen.getByRole('link', { name: '关于' })).toBeTruthy()
  expect(docs()).toBeNull()
})
