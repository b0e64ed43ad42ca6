import { describe, expect, it } from 'vitest'
import { dynamicImports, scriptsOfPage, staticImports } from './console-size.ts'

const BUILT =
  'import{n as e,t}from"./react-1a.js";import"./side.js";import r from\'../up/b.js\';import*as n from"./all.js";' +
  'export{o}from"./again.js";const page=()=>import("./login-page-9f.js");let x=`import("${1}")`;fetch("./data.js")'

describe('imports of built scripts', () => {
  it('are static when the module cannot run without them', () => {
    expect(staticImports(BUILT)).toEqual(['./react-1a.js', './side.js', '../up/b.js', './all.js', './again.js'])
  })

  it('are dynamic when the module loads them later', () => {
    expect(dynamicImports(BUILT)).toEqual(['./login-page-9f.js'])
  })
})

describe('scripts of a page', () => {
  it('are its module scripts and preloads, not its styles', () => {
    const html =
      '<script src="/theme.js"></script><script type="module" crossorigin src="/assets/index.js"></script>' +
      '<link rel="modulepreload" crossorigin href="/assets/react.js"><link rel="stylesheet" href="/assets/a.css">'

    expect(scriptsOfPage(html)).toEqual(['/theme.js', '/assets/index.js', '/assets/react.js'])
  })
})
