/** The form of a coupon: shows what customers would see of it, as soon as the server finds no error. */
import './firstcome-coupon.js';

const preview = document.querySelector('#preview');
const none = document.querySelector('#no-preview');

document.body.addEventListener('htmx:afterSwap', () => {
  const json = document.querySelector('[data-preview]')?.dataset.preview;
  if (json) {
    preview.preview = JSON.parse(json);
  }
  preview.hidden = !json;
  none.hidden = Boolean(json);
});
