import { useQuery } from '@tanstack/react-query'
import { CHANNEL_LIMITS, searchChannels, type Channel } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { groupNamesQuery } from '../../api/group-names.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { toast } from '../../lib/toast.ts'
import { useOpenings } from '../../lib/use-openings.ts'
import { SkeletonForm } from '../../ui/feedback/skeleton.tsx'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { JsonField } from '../../ui/form/json-field.tsx'
import { useFirstFocus } from '../../ui/form/use-first-focus.ts'
import { Alert, Form, Input, Select } from '../../ui/kit/index.ts'
import { useUpdateTag, knownModelsQuery } from './api.ts'
import { splitNames } from './channel-text.ts'
import { sharedValues, tagChanges, type TagValues } from './tag-changes.ts'
import { useJsonRule } from './use-json-rule.ts'

interface Props {
  open: boolean
  tag: string
  onClose(): void
}

const NO_CHANNELS: Channel[] = []
const MAPPING_TEMPLATE = JSON.stringify({ 'gpt-4o': 'gpt-4o-2024-11-20' }, null, 2)

/** Changes all channels of a tag. */
export default function TagDrawer({ open, tag, onClose }: Props) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const [form] = Form.useForm<TagValues>()
  const opening = useOpenings(open, tag)
  const members = useQuery({
    queryKey: ['channels-of-tag', tag, opening],
    queryFn: ({ signal }) => call(searchChannels, { query: { tags: tag }, signal }),
    gcTime: 0,
    staleTime: Infinity,
    enabled: open,
  })
  const update = useUpdateTag()
  const before = sharedValues(tag, members.data ?? NO_CHANNELS)

  const save = (after: TagValues) => {
    const changes = tagChanges(tag, before, after)
    if (changes === null) return toast.info(t('tag.unchanged'))
    update.mutate(changes, {
      onSuccess: () => {
        toast.success(t('tag.updated'))
        onClose()
      },
    })
  }
  return (
    <FormDrawer<TagValues>
      key={opening}
      title={t('tag.title', { tag })}
      open={open}
      onClose={onClose}
      form={form}
      initialValues={before}
      onSubmit={save}
      submitting={update.isPending}
      submitText={common('save')}
      placeholder={placeholder()}
    >
      <TagFields count={members.data?.length ?? 0} />
    </FormDrawer>
  )

  function placeholder() {
    if (members.data) return null
    if (!members.error) return <SkeletonForm fields={6} />
    return (
      <LoadError
        title={common('errors.loadFailed')}
        error={members.error}
        retrying={members.isFetching}
        onRetry={members.refetch}
      />
    )
  }
}

function TagFields({ count }: { count: number }) {
  const { t } = useTranslation('channels')
  const groups = useQuery(groupNamesQuery)
  const models = useQuery(knownModelsQuery)
  const jsonRule = useJsonRule()
  const first = useFirstFocus()
  return (
    <>
      <Form.Item>
        <Alert type="info" showIcon title={t('tag.notice', { count })} />
      </Form.Item>
      <Form.Item<TagValues>
        name="new_tag"
        label={t('tag.newTag')}
        extra={t('tag.newTagHint')}
        rules={[{ pattern: /^[^,]*$/, message: t('form.tagComma') }]}
      >
        <Input ref={first} autoComplete="off" maxLength={CHANNEL_LIMITS.tag} />
      </Form.Item>
      <Form.Item<TagValues> name="groups" label={t('form.groups')} extra={t('tag.keepHint')}>
        <Select
          mode="multiple"
          loading={groups.isPending}
          placeholder={t('tag.keep')}
          options={(groups.data ?? []).map((group) => ({ value: group, label: group }))}
        />
      </Form.Item>
      <Form.Item<TagValues>
        name="models"
        label={t('form.modelNames')}
        extra={t('tag.keepHint')}
        normalize={(names: string[]) => splitNames(names.join(','))}
      >
        <Select
          mode="tags"
          defaultActiveFirstOption={false}
          maxTagCount={24}
          placeholder={t('tag.keep')}
          tokenSeparators={[',', '，', '\n']}
          options={(models.data ?? []).map((model) => ({ value: model, label: model }))}
        />
      </Form.Item>
      <Form.Item<TagValues>
        name="model_mapping"
        label={t('form.modelMapping')}
        extra={t('tag.keepHint')}
        rules={[jsonRule]}
      >
        <JsonField label={t('form.modelMapping')} template={MAPPING_TEMPLATE} />
      </Form.Item>
    </>
  )
}
