import { describe, expect, it } from 'vitest'
import { nginxSnippet } from './setup-commands.ts'

const snippet = (address: string) => nginxSnippet(new URL(address))

describe('the nginx configuration', () => {
  it('sends copies to this site', () => {
    const lines = snippet('https://gate.example/app/shadow')

    expect(lines).toContain('server gate.example:443;')
    expect(lines).toContain('proxy_pass https://tidegate_shadow/shadow$request_uri;')
    expect(lines).toContain('proxy_set_header Host gate.example;')
    expect(lines).toContain('proxy_ssl_name gate.example;')
  })

  it('has no TLS settings for HTTP, and keeps the port', () => {
    const lines = snippet('http://10.0.0.7:3000/app/shadow')

    expect(lines).toContain('server 10.0.0.7:3000;')
    expect(lines).toContain('proxy_set_header Host 10.0.0.7:3000;')
    expect(lines).not.toContain('ssl')
  })
})
