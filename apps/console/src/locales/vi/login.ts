export default {
  title: 'Đăng nhập',
  purpose: 'Chào mừng trở lại {{name}}',
  username: 'Tên đăng nhập hoặc email',
  password: 'Mật khẩu',
  submit: 'Đăng nhập',
  forgot: 'Quên mật khẩu?',
  noAccount: 'Chưa có tài khoản?',
  register: 'Đăng ký',
  required: 'Vui lòng nhập tên đăng nhập và mật khẩu!',
  expired: 'Bạn chưa đăng nhập hoặc phiên đã hết hạn. Vui lòng đăng nhập lại!',
  registered: 'Đăng ký thành công! Vui lòng đăng nhập.',
  weakPassword: {
    default: {
      title: 'Bạn đang dùng mật khẩu mặc định!',
      text: 'Vui lòng đổi mật khẩu mặc định ngay!',
    },
    weak: {
      title: 'Mật khẩu của bạn dễ bị đoán!',
      text: 'Ai đoán được mật khẩu của quản trị viên cấp cao sẽ chiếm được cả trang. Vui lòng đổi ngay.',
    },
    action: 'Đổi mật khẩu',
    later: 'Để sau',
  },
}
