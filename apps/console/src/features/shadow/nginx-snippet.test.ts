import { describe, expect, it } from 'vitest'
import { nginxSnippet } from './nginx-snippet.ts'

const snippet = (address: string) => nginxSnippet(new URL(address))

describe('the configuration for nginx', () => {
  it('leads to this site', () => {
    const lines = snippet('https://gate.example/app/shadow')

    expect(lines).toContain('server gate.example:443;')
    expect(lines).toContain('proxy_pass https://tidegate_shadow/shadow$request_uri;')
    expect(lines).toContain('proxy_set_header Host gate.example;')
    expect(lines).toContain('proxy_ssl_name gate.example;')
  })

  it('asks for no certificate where there is none, and keeps a port of its own', () => {
    const lines = snippet('http://10.0.0.7:3000/app/shadow')

    expect(lines).toContain('server 10.0.0.7:3000;')
    expect(lines).toContain('proxy_set_header Host 10.0.0.7:3000;')
    expect(lines).not.toContain('ssl')
  })
})
