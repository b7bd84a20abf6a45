/** The page of one coupon, /c/{couponId}: shows the element with the id that its address has. */
import './firstcome-coupon.js';

const TOKEN = 'firstcome:token';

const coupon = document.querySelector('firstcome-coupon');
const isOnThisMachine = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

// For trying it out without a gateway: /c/WELCOME2026#token=… Elsewhere anybody could send a customer to a page in
// which the customer acts for another user.
if (isOnThisMachine) {
  const token = new URLSearchParams(location.hash.substring(1)).get('token');
  if (token !== null) {
    sessionStorage.setItem(TOKEN, token);
    history.replaceState(null, '', location.pathname);
  }
  const kept = sessionStorage.getItem(TOKEN);
  if (kept !== null) {
    coupon.credentials = () => ({ Authorization: `Bearer ${kept}` });
  }
}

document.documentElement.lang = navigator.languages.find((tag) => /^(en|ko)\b/i.test(tag)) ?? 'en';

coupon.addEventListener('firstcome-screen', ({ detail }) => {
  const name = detail.name ?? coupon.getAttribute('coupon');
  // Customers look at another tab meanwhile.
  document.title = ['YOUR_TURN', 'YOURS'].includes(detail.screen) ? `${detail.status} ${name}` : name;
});
coupon.setAttribute('coupon', decodeURIComponent(location.pathname.split('/').pop()));
coupon.hidden = false;
