import { channelTypeOf } from '@tidegate/contract/api'
import { type TFunction, createInstance } from 'i18next'
import { expect, it } from 'vitest'
import { channels as en } from '../locales/en/admin.json'
import { channels as zh } from '../locales/zh/admin.json'
import { typeName } from './channel-type-name.ts'

async function translator(language: 'en' | 'zh'): Promise<TFunction<'channels'>> {
  const i18n = createInstance()
  await i18n.init({ lng: language, resources: { en: { channels: en }, zh: { channels: zh } } })
  return i18n.getFixedT(language, 'channels')
}

it('names Chinese providers in Chinese on Chinese pages', async () => {
  const t = await translator('zh')

  expect(typeName(45, t)).toBe('火山方舟（豆包）')
  expect(typeName(17, t)).toBe('阿里云百炼')
  expect(typeName(1, t)).toBe('OpenAI')
})

it('uses the names of the channel types on other pages', async () => {
  const t = await translator('en')

  for (const type of Object.keys(en.types.names).map(Number)) {
    expect(typeName(type, t)).toBe(channelTypeOf(type)!.name)
  }
})
