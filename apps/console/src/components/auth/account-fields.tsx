import { PASSWORD_LENGTH } from '@tidegate/contract/api'
import { Form, Input } from '../../ui/kit/index.ts'
import { useFirstFocus } from '../../ui/form/use-first-focus.ts'

const USERNAME_MAXIMUM = 12

interface Props {
  /** What the form calls the field that repeats the password. */
  repeatName: string
  size?: 'middle' | 'large'
  words: AccountWords
}

export interface AccountWords {
  username: string
  usernameHint: string
  password: string
  passwordHint: string
  repeat: string
  errors: {
    username: string
    usernameLong: string
    usernameSigns: string
    passwordShort: string
    passwordLong: string
    mismatch: string
  }
}

/** A name and a password, twice, for an account that is about to be made; with the rules that the server has for them. */
export function AccountFields({ repeatName, size = 'middle', words }: Props) {
  const first = useFirstFocus()
  const { errors } = words
  return (
    <>
      <Form.Item
        name="username"
        label={words.username}
        extra={words.usernameHint}
        validateFirst
        rules={[
          { required: true, whitespace: true, message: errors.username },
          rule((name) => lengthOf(name.trim()) <= USERNAME_MAXIMUM, errors.usernameLong),
          rule((name) => !name.includes('@'), errors.usernameSigns),
        ]}
      >
        <Input size={size} autoComplete="username" ref={first} autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="password"
        label={words.password}
        extra={words.passwordHint}
        validateFirst
        rules={[
          rule((password) => lengthOf(password) >= PASSWORD_LENGTH.min, errors.passwordShort),
          rule((password) => lengthOf(password) <= PASSWORD_LENGTH.max, errors.passwordLong),
        ]}
      >
        <Input.Password size={size} autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name={repeatName}
        label={words.repeat}
        dependencies={['password']}
        rules={[
          ({ getFieldValue }) =>
            rule((again) => again === ((getFieldValue('password') as string | undefined) ?? ''), errors.mismatch),
        ]}
      >
        <Input.Password size={size} autoComplete="new-password" />
      </Form.Item>
    </>
  )
}

/** In signs as people count them, and as the server does. */
const lengthOf = (text: string) => [...text].length

function rule(holds: (value: string) => boolean, message: string) {
  return {
    validator: (_: unknown, value: string = '') =>
      holds(value) ? Promise.resolve() : Promise.reject(new Error(message)),
  }
}
