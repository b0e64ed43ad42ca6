import { DISPLAY_NAME_MAX_LENGTH, USERNAME_MAX_LENGTH, type User } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { useFieldErrors, type FieldErrors } from '../../../components/resource/use-field-errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useConfirmDiscard } from '../../../ui/form/unsaved-guard.tsx'
import { Form, Input, Modal } from '../../../ui/kit/index.ts'
import { useUpdateSelf } from '../api.ts'
import { useUnsavedForm } from '../unsaved-forms.tsx'

interface Props {
  user: User
  open: boolean
  onClose(): void
}

interface Values {
  display_name: string
  username: string
}

const ERROR_FIELDS: FieldErrors<Values> = {
  username_taken: 'username',
  username_reserved: 'username',
  username_confusable: 'username',
  username_changed_recently: 'username',
}

export function ProfileDialog({ user, open, onClose }: Props) {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const [form] = Form.useForm<Values>()
  const update = useUpdateSelf()
  const showError = useFieldErrors(form, ERROR_FIELDS)
  const confirmDiscard = useConfirmDiscard()
  const changes = () => (open ? changesOf(form.getFieldsValue(), user) : {})
  const hasChanges = () => Object.keys(changes()).length > 0
  useUnsavedForm(hasChanges)

  const close = () => {
    if (update.isPending) return
    if (hasChanges()) confirmDiscard({ onDiscard: onClose })
    else onClose()
  }
  const submit = () => {
    if (update.isPending) return
    if (!hasChanges()) return toast.info(t('unchanged'))
    update.mutate(changes(), {
      onSuccess() {
        toast.success(t('profile.saved'))
        onClose()
      },
      onError: showError,
    })
  }
  return (
    <Modal
      title={t('profile.editTitle')}
      open={open}
      onCancel={close}
      onOk={form.submit}
      okText={common('save')}
      cancelText={common('cancel')}
      confirmLoading={update.isPending}
      destroyOnHidden
      width={440}
    >
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        preserve={false}
        initialValues={{ display_name: user.display_name, username: user.username }}
        onFinish={submit}
        scrollToFirstError={{ focus: true }}
      >
        <Form.Item<Values>
          name="display_name"
          label={t('profile.displayName')}
          extra={t('profile.displayNameHint')}
          rules={[
            // The server ignores a blank name, so an existing name cannot be removed.
            {
              required: user.display_name !== '',
              whitespace: user.display_name !== '',
              message: t('profile.errors.displayName'),
            },
            { validator: checkLength(DISPLAY_NAME_MAX_LENGTH, t('profile.errors.displayNameLong')) },
          ]}
        >
          <Input autoComplete="nickname" spellCheck={false} />
        </Form.Item>
        <Form.Item<Values>
          name="username"
          label={t('profile.username')}
          extra={t('profile.usernameHint')}
          validateFirst
          rules={[
            { required: true, whitespace: true, message: t('profile.errors.username') },
            { validator: checkLength(USERNAME_MAX_LENGTH, t('profile.errors.usernameLong')) },
            { pattern: /^[^@]*$/, message: t('profile.errors.usernameSigns') },
          ]}
        >
          <Input autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Form.Item>
        {/* Enter needs a submit button inside the form; the visible buttons are outside. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </Form>
    </Modal>
  )
}

function changesOf(values: Partial<Values>, user: User): Partial<Values> {
  const [displayName, username] = [values.display_name?.trim() ?? '', values.username?.trim() ?? '']
  return {
    ...(displayName !== user.display_name && { display_name: displayName }),
    ...(username !== user.username && { username }),
  }
}

/** Counts code points, as the server does. */
const checkLength =
  (maxLength: number, message: string) =>
  (_: unknown, value: string = ''): Promise<void> =>
    [...value.trim()].length <= maxLength ? Promise.resolve() : Promise.reject(new Error(message))
