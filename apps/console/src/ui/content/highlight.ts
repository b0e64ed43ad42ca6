import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import lua from 'highlight.js/lib/languages/lua'
import makefile from 'highlight.js/lib/languages/makefile'
import markdown from 'highlight.js/lib/languages/markdown'
import nginx from 'highlight.js/lib/languages/nginx'
import php from 'highlight.js/lib/languages/php'
import powershell from 'highlight.js/lib/languages/powershell'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import shell from 'highlight.js/lib/languages/shell'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { createElement, Fragment, type ReactNode } from 'react'

const LANGUAGES = Object.entries({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  nginx,
  php,
  powershell,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
})
for (const [name, language] of LANGUAGES) highlighter.registerLanguage(name, language)
highlighter.registerAliases(['vue', 'svelte'], { languageName: 'xml' })
highlighter.registerAliases(['jsonc', 'json5'], { languageName: 'json' })

/** Longer code is not highlighted, because it would be slow while streaming. */
const MAX_LENGTH = 40_000

interface Token {
  scope?: string
  children: readonly (Token | string)[]
}

/** Highlighted code as React elements instead of HTML, so that code is never parsed as markup. */
export function highlight(code: string, language: string): ReactNode {
  if (code.length > MAX_LENGTH || !highlighter.getLanguage(language)) return code
  const { _emitter } = highlighter.highlight(code, { language, ignoreIllegals: true })
  // The syntax tree is not part of the public type.
  const { rootNode } = _emitter as unknown as { rootNode: Token }
  return createElement(Fragment, null, ...renderTokens(rootNode.children))
}

function renderTokens(tokens: Token['children']): ReactNode[] {
  return tokens.map((token) =>
    typeof token === 'string'
      ? token
      : createElement('span', { 'data-token': token.scope?.split(/[.:]/)[0] }, ...renderTokens(token.children)),
  )
}
