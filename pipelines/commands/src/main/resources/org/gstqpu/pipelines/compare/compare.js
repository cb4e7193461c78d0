for (const plot of document.querySelectorAll('.plot')) {
  const buttons = [...plot.querySelectorAll('.tabs button')];
  const drawings = [...plot.querySelectorAll('svg')];
  const show = index => {
    drawings.forEach((drawing, i) => { drawing.style.display = i === index ? '' : 'none'; });
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(i === index)));
  };
  buttons.forEach((button, i) => button.addEventListener('click', () => show(i)));
  show(0);
}
for (const slider of document.querySelectorAll('.slider')) {
  const stage = slider.querySelector('.stage');
  const range = slider.querySelector('input');
  const viewer = slider.parentElement.querySelector('.viewer');
  for (const side of ['before', 'after']) {
    const shown = [...viewer.querySelectorAll('img')].find(image => image.alt === slider.dataset[side]);
    slider.querySelector('.' + side).src = shown.src;
  }
  const move = () => stage.style.setProperty('--border', range.value + '%');
  // A range's thumb stops half its width before its ends: the border follows the pointer itself.
  const drag = event => {
    const box = stage.getBoundingClientRect();
    range.value = Math.round(100 * (event.clientX - box.left) / box.width);
    move();
  };
  range.addEventListener('input', move);
  range.addEventListener('pointerdown', drag);
  range.addEventListener('pointermove', event => {
    if (event.buttons === 1) {
      drag(event);
    }
  });
}
for (const viewer of document.querySelectorAll('.viewer')) {
  const buttons = [...viewer.querySelectorAll('.tabs button')];
  const images = [...viewer.querySelectorAll('.stage img')];
  const stage = viewer.querySelector('.stage');
  const decoded = images.findIndex(image => image.classList.contains('on'));
  let shown = decoded;
  let other = Math.min(decoded + 1, images.length - 1);

  const show = index => {
    shown = (index + images.length) % images.length;
    if (shown !== decoded) {
      other = shown;
    }
    images.forEach((image, i) => image.classList.toggle('on', i === shown));
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(i === shown)));
  };
  const zoom = () => stage.classList.toggle('zoomed');

  buttons.forEach((button, i) => button.addEventListener('click', () => show(i)));
  stage.addEventListener('click', () => {
    zoom();
    viewer.focus();
  });
  stage.addEventListener('pointermove', event => {
    const box = stage.getBoundingClientRect();
    stage.style.setProperty('--x', 100 * (event.clientX - box.left) / box.width + '%');
    stage.style.setProperty('--y', 100 * (event.clientY - box.top) / box.height + '%');
  });
  viewer.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const onButton = event.target.tagName === 'BUTTON';
    if (event.key === 'ArrowRight') {
      show(shown + 1);
    } else if (event.key === 'ArrowLeft') {
      show(shown - 1);
    } else if (event.key === ' ' && !onButton) {
      show(shown === decoded ? other : decoded);
    } else if (event.key === 'z') {
      zoom();
    } else if (event.key >= '1' && event.key <= '9' && Number(event.key) <= images.length) {
      show(Number(event.key) - 1);
    } else {
      return;
    }
    event.preventDefault();
  });
}
