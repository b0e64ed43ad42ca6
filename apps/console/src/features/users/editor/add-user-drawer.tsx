import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { Form, Input } from '../../../ui/kit/index.ts'
import { useOpenings } from '../../../ui/use-openings.ts'
import { useCreateUser } from '../mutations.ts'
import { newPasswordProblem } from './account-rules.ts'
import { NameFields } from './name-fields.tsx'
import { tellRefusal } from './tell-refusal.ts'
import { useFieldRule } from './use-field-rule.ts'

interface NewUserValues {
  username: string
  display_name: string
  password: string
}

interface Props {
  open: boolean
  onClose(): void
}

const BLANK: NewUserValues = { username: '', display_name: '', password: '' }

export default function AddUserDrawer(props: Props) {
  return <AddUserForm key={useOpenings(props.open)} {...props} />
}

function AddUserForm({ open, onClose }: Props) {
  const { t } = useTranslation('users')
  const [form] = Form.useForm<NewUserValues>()
  const rule = useFieldRule()
  const creation = useCreateUser()
  const create = (values: NewUserValues) =>
    creation.mutate(
      { ...values, username: values.username.trim() },
      {
        onSuccess: () => {
          toast.success(t('form.created'))
          onClose()
        },
        onError: (error) => tellRefusal(form, error),
      },
    )
  return (
    <FormDrawer<NewUserValues>
      title={t('form.addTitle')}
      placement="left"
      open={open}
      onClose={onClose}
      form={form}
      initialValues={BLANK}
      submitText={t('form.submit')}
      submitting={creation.isPending}
      onSubmit={create}
    >
      <NameFields />
      <Form.Item<NewUserValues>
        name="password"
        label={t('form.password')}
        extra={t('form.passwordHint')}
        rules={[rule(newPasswordProblem)]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <p className="secondary">{t('form.newUserHint')}</p>
    </FormDrawer>
  )
}
