export default {
  title: 'Log in',
  purpose: 'Welcome back to {{name}}',
  username: 'Username or email',
  password: 'Password',
  submit: 'Log in',
  forgot: 'Forgot password?',
  noAccount: 'No account yet?',
  register: 'Register',
  required: 'Please enter username and password!',
  expired: 'Not logged in or session expired. Please login again!',
  registered: 'Registration successful! Please log in.',
  weakPassword: {
    default: {
      title: 'You are using the default password!',
      text: 'Please change the default password immediately!',
    },
    weak: {
      title: 'Your password is easy to guess!',
      text: 'Whoever guesses the password of the super admin owns the site. Please change it immediately.',
    },
    action: 'Change it',
    later: 'Later',
  },
}
