import { DownOutlined } from '@ant-design/icons'
import { useQuery, useMutation } from '@tanstack/react-query'
import * as api from '@tidegate/contract/api'
import type { ChannelDetail, BodyInput, findUnpricedModels } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/client.ts'
import { useMaySetPrices } from '../../../api/use-may-set-prices.ts'
import { PricesLink } from '../../../components/prices-link.tsx'
import { firstNames } from '../../../lib/first-names.ts'
import { toast } from '../../../lib/toast.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { useCopyText } from '../../../ui/feedback/use-copy-text.tsx'
import { AutoComplete, Button, Form, Input, Select, Modal, Segmented, Alert } from '../../../ui/kit/index.ts'
import { MenuButton } from '../../../ui/overlay/menu-button.tsx'
import { ChoiceGrid } from '../../../ui/page/choice-grid.tsx'
import { knownModelsQuery, suggestedModelsQuery, redirectBillingQuery, unpricedQuery } from '../api.ts'
import { splitNames, type UnpricedModel } from '../channel-text.ts'
import { useJsonRule } from '../use-json-rule.ts'
import { type ChannelValues, withoutTrailingSlash } from './channel-values.ts'
import styles from './editor.module.css'
import { isMasked, splitKeys } from './key-text.ts'
import { MappingField } from './mapping-field.tsx'
import { isComplete, mappingRows } from './mapping-text.ts'

/** The models of a channel. */
export function ModelsField({ channel }: { channel?: ChannelDetail }) {
  const { t } = useTranslation('channels')
  const form = Form.useFormInstance<ChannelValues>()
  const type = Form.useWatch('type', form) ?? channel?.type ?? 1
  const models = Form.useWatch('models', form) ?? []
  const mapping = Form.useWatch('model_mapping', form) ?? ''
  const prefix = Form.useWatch('model_prefix', form) ?? ''
  const suggested = useQuery(suggestedModelsQuery).data?.[type] ?? []
  const known = useQuery(knownModelsQuery).data ?? []
  const fetching = useFetchModels(channel)
  const [source, setSource] = useState<PickerSource | null>(null)
  const copy = useCopyText()

  const choose = (names: readonly string[]) => {
    form.setFields([{ name: 'models', value: [...new Set(names)], touched: true }])
    if (names.length > 0) void form.validateFields(['models'])
  }
  const moreItems = () => [
    {
      key: 'suggested',
      label: t('form.fillModels'),
      disabled: suggested.length === 0,
      onClick: () => choose([...models, ...suggested]),
    },
    {
      key: 'all',
      label: t('form.fillAllModels'),
      disabled: known.length === 0,
      onClick: () => choose([...models, ...known]),
    },
    {
      key: 'copy',
      label: t('form.copyModels'),
      disabled: models.length === 0,
      onClick: () => void copy(models.join(',')),
    },
    { key: 'clear', label: t('form.clearModels'), disabled: models.length === 0, onClick: () => choose([]) },
  ]
  return (
    <>
      <Form.Item label={t('form.modelNames')} htmlFor="models" extra={t('form.modelsHint')}>
        <Form.Item<ChannelValues>
          name="models"
          noStyle
          normalize={(names: string[]) => splitNames(names.join(','))}
          rules={[{ required: true, type: 'array', message: t('form.modelsRequired') }]}
        >
          <Select
            id="models"
            mode="tags"
            defaultActiveFirstOption={false} // a name that was typed must not become the first suggestion
            className={styles.wide}
            maxTagCount={24}
            tokenSeparators={[',', '，', '\n']}
            options={suggested.map((model) => ({ value: model, label: model }))}
          />
        </Form.Item>
        <div className={styles.helpers}>
          <Button size="small" onClick={() => setSource('related')}>
            {t('form.pickModels')}
          </Button>
          <Button
            size="small"
            loading={fetching.isPending}
            onClick={() => fetching.ask(form.getFieldsValue(), () => setSource('upstream'))}
          >
            {t('form.fetchModels')}
          </Button>
          <MenuButton label={t('form.moreModels')} outlined items={moreItems}>
            {t('form.moreModels')} <DownOutlined aria-hidden />
          </MenuButton>
        </div>
      </Form.Item>
      <UnpricedModels models={models} mapping={mapping} prefix={prefix} />
      <ModelPicker
        source={source}
        onSource={setSource}
        lists={{ related: suggested, all: known, upstream: fetching.models }}
        chosen={models}
        onDone={choose}
      />
    </>
  )
}

export function MappingItem() {
  const { t } = useTranslation('channels')
  const jsonRule = useJsonRule()
  return (
    <Form.Item<ChannelValues>
      name="model_mapping"
      label={t('form.modelMapping')}
      extra={t('form.modelMappingHint')}
      rules={[
        jsonRule,
        {
          validator: (_, text: string = '') =>
            (mappingRows(text) ?? []).every(isComplete)
              ? Promise.resolve()
              : Promise.reject(new Error(t('form.mappingIncomplete'))),
        },
      ]}
    >
      <MappingField label={t('form.modelMapping')} />
    </Form.Item>
  )
}

/** Test model and prefix. */
export function ModelNameFields() {
  const { t } = useTranslation('channels')
  const models = Form.useWatch<string[] | undefined>('models') ?? []
  return (
    <div className={styles.pair}>
      <Form.Item<ChannelValues> name="test_model" label={t('form.testModel')} extra={t('form.testModelHint')}>
        <AutoComplete
          className="mono"
          showSearch={{ filterOption: true }}
          options={models.map((model) => ({ value: model }))}
        />
      </Form.Item>
      <Form.Item<ChannelValues> name="model_prefix" label={t('form.modelPrefix')} extra={t('form.modelPrefixHint')}>
        <Input className="mono" autoComplete="off" spellCheck={false} placeholder="vendor/" />
      </Form.Item>
    </div>
  )
}

const SOURCES = ['related', 'all', 'upstream'] as const
export type PickerSource = (typeof SOURCES)[number]

interface PickerProps {
  /** Which list is open; null while the picker is closed. */
  source: PickerSource | null
  onSource(source: PickerSource | null): void
  lists: Readonly<Record<PickerSource, readonly string[]>>
  chosen: readonly string[]
  onDone(models: string[]): void
}

/** Selects models from those suggested for the type, all known ones, or those of the provider. */
export function ModelPicker({ source, onSource, lists, chosen, onDone }: PickerProps) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const [draft, setDraft] = useState<ReadonlySet<string>>(new Set())
  const [wasOpen, setWasOpen] = useState(false)
  const isOpen = source !== null
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    if (isOpen) setDraft(new Set(chosen))
  }
  // Empty lists are not offered; the one of the provider is empty until it was fetched.
  const offered = SOURCES.filter((name) => lists[name].length > 0)
  const shown = source !== null && lists[source].length > 0 ? source : (offered[0] ?? 'related')
  return (
    <Modal
      title={t('form.pickerTitle')}
      open={isOpen}
      onCancel={() => onSource(null)}
      onOk={() => {
        onDone([...draft])
        onSource(null)
      }}
      okText={t('form.pickerDone', { count: draft.size })}
      cancelText={common('cancel')}
      width={760}
      destroyOnHidden
    >
      {offered.length > 1 && (
        <Segmented<PickerSource>
          className={styles.sources}
          aria-label={t('form.pickerTitle')}
          value={shown}
          onChange={onSource}
          options={offered.map((name) => ({
            value: name,
            label: t(`form.sources.${name}`, { count: lists[name].length }),
          }))}
        />
      )}
      <ChoiceGrid label={t('form.pickerTitle')} names={lists[shown]} chosen={draft} onChange={setDraft} />
    </Modal>
  )
}

interface UnpricedProps {
  models: string[]
  mapping: string
  prefix: string
}

const TYPING_PAUSE_MS = 350

/** Warns about models without a price, with the name that they are billed by. */
export function UnpricedModels({ models, mapping, prefix }: UnpricedProps) {
  const { t } = useTranslation('channels')
  // Compared as text, because the list of models is a new array after each render.
  const body = useDebounced(
    JSON.stringify({ models, model_mapping: mapping, model_prefix: prefix } satisfies Body),
    TYPING_PAUSE_MS,
  )
  const { data = [] } = useQuery(unpricedQuery(JSON.parse(body) as Body))
  const unpriced = data.filter(({ model }) => models.includes(model))
  const billedByUpstreamName = useBilledByUpstreamName(unpriced)
  if (unpriced.length === 0) return null
  const { names, more } = firstNames(unpriced.map(describe))
  return (
    <Alert
      className={styles.unpriced}
      type="warning"
      showIcon
      title={t('form.unpriced')}
      description={
        <>
          <ul>
            {names.map((name) => (
              <li key={name}>{name}</li>
            ))}
            {more > 0 && <li>{t('form.unpricedMore', { count: more })}</li>}
          </ul>
          <PricesLink text={t('form.unpricedAction')} />
        </>
      }
    />
  )

  function describe({ clientName, upstreamName }: UnpricedModel): string {
    if (clientName === upstreamName || !billedByUpstreamName) return clientName
    return t('form.unpricedRenamed', { model: clientName, priceName: upstreamName })
  }
}

type Body = BodyInput<typeof findUnpricedModels>

/** Reads the option for administrators who may set prices. Others cannot read it. */
function useBilledByUpstreamName(unpriced: readonly UnpricedModel[]): boolean {
  const hasRenamed = unpriced.some(({ clientName, upstreamName }) => clientName !== upstreamName)
  const enabled = useMaySetPrices() && hasRenamed
  return useQuery({ ...redirectBillingQuery, enabled }).data === false
}

/** Fetches the models of the provider with the values of the form, or with the stored key if none was entered. */
export function useFetchModels(channel?: Pick<api.ChannelDetail, 'id'>) {
  const { t } = useTranslation('channels')
  const mutation = useMutation({
    mutationFn: (values: Partial<ChannelValues>) => {
      const key = enteredKey(values)
      if (key === '') return call(api.fetchChannelModels, { params: { id: channel!.id } })
      const { type = 1, setting = '', header_override = '', base_url = '' } = values
      return call(api.fetchUpstreamModels, {
        body: { type, key, setting, header_override, base_url: withoutTrailingSlash(base_url) },
      })
    },
  })
  return {
    models: mutation.data ?? [],
    isPending: mutation.isPending,
    ask(values: Partial<ChannelValues>, onSuccess: () => void) {
      if (enteredKey(values) === '' && !channel) return toast.error(t('form.keyMissing'))
      mutation.mutate(values, {
        onSuccess(models) {
          if (models.length === 0) toast.info(t('form.noUpstreamModels'))
          else onSuccess()
        },
      })
    },
  }
}

/** The key of a masked line is available on the server only. */
function enteredKey({ type = 1, key = '' }: Partial<ChannelValues>): string {
  if (api.channelTypeOf(type)?.singleKey) return key.trim()
  return splitKeys(key).find((line) => !isMasked(line)) ?? ''
}
