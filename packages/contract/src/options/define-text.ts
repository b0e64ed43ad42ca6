import { z } from 'zod'
import type { OptionDefinition, Place } from './define.ts'

/** Text of one line. */
export function line(
  place: Place,
  initial = '',
  rules: { max?: number; pattern?: RegExp; blankMeansDefault?: boolean } = {},
): OptionDefinition<string> {
  const schema = z
    .string()
    .trim()
    .max(rules.max ?? 1024)
    .regex(rules.pattern ?? /^[^\r\n]*$/)
  return {
    ...place,
    kind: 'text',
    default: initial,
    secret: false,
    parse: (text) => schema.parse(text) || (rules.blankMeansDefault ? initial : ''),
    format: String,
  }
}

/** Text of several lines, up to the size of a page. */
export function prose(place: Place, initial = '', max = 1_000_000): OptionDefinition<string> {
  return {
    ...place,
    kind: 'text',
    default: initial,
    secret: false,
    parse: (text) => z.string().max(max).parse(text),
    format: String,
  }
}

export function secret(place: Place): OptionDefinition<string> {
  return { ...line(place), secret: true, guard: 'reauth' }
}

/** An http or https address kept as written: some identity providers answer only with the trailing slash. */
export function url(place: Place): OptionDefinition<string> {
  return address(place, (text) => webAddress.parse(text))
}

/** An https address kept as written. */
export function httpsUrl(place: Place): OptionDefinition<string> {
  return address(place, (text) => secureAddress.parse(text))
}

/** An http or https address that paths are appended to, without its trailing slash. */
export function baseUrl(place: Place): OptionDefinition<string> {
  return address(place, (text) => webAddress.parse(text).replace(/\/+$/, ''))
}

/** A link on a page: an http or https address, or a path of this site. */
export function link(place: Place): OptionDefinition<string> {
  return address(place, (text) => (SITE_PATH.test(text) ? text : webAddress.parse(text)))
}

/** An image on a page: an https address, or a path of this site. Browsers block http images (`img-src` of our pages). */
export function image(place: Place): OptionDefinition<string> {
  return address(place, (text) => (SITE_PATH.test(text) ? text : secureAddress.parse(text)))
}

const webAddress = z.url({ protocol: /^https?$/ }).max(2048)
const secureAddress = z.url({ protocol: /^https$/ }).max(2048)

/** `//host` and `/\host` would leave the site. */
const SITE_PATH = /^\/(?![/\\])[^\s]{0,2047}$/

/** Blank means "not set" for every address. */
function address(place: Place, read: (text: string) => string): OptionDefinition<string> {
  return {
    ...place,
    kind: 'url',
    default: '',
    secret: false,
    parse: (text) => (text.trim() === '' ? '' : read(text.trim())),
    format: String,
  }
}
