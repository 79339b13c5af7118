// Plays a page in Firefox through WebDriver BiDi, by keyboard and by mouse, and tells what it saw.
// Usage: node firefox_play.mjs FIREFOX PAGE SECRET
import puppeteer from "puppeteer-core";

const [, , executablePath, address, secret] = process.argv;
const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, args: ["--no-remote"] });
const seen = { errors: [] };
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(address);
  const read = (selector) => page.$eval(selector, (element) => element.innerText.trim());
  const wait = (selector, text) => page.waitForFunction(
    (one, part) => document.querySelector(one)?.innerText.includes(part), {}, selector, text);
  const openTab = (name) => page.click(`#tab-${name}`);
  const score = (guess) => {
    const black = [...guess].filter((sign, at) => sign === secret[at]).length;
    const common = [..."123456"].reduce((sum, sign) =>
      sum + Math.min(guess.split(sign).length, secret.split(sign).length) - 1, 0);
    return [black, common - black];
  };

  // The card of the first visit.
  seen.card = await read("#breaker .rules h2");
  await page.click("#breaker .rules .primary");

  // You hide a code: the page finds it, answered by the keyboard alone.
  await openTab("maker");
  seen.guesses = [];
  while (await page.$("#maker > .desk .row.current")) {
    const guess = await page.$$eval("#maker > .desk .row.current .peg", (pegs) => pegs.map((peg) => peg.innerText).join(""));
    seen.guesses.push(guess);
    const [black, white] = score(guess);
    for (const key of "b".repeat(black) + "w".repeat(white)) await page.keyboard.press(key);
    await page.keyboard.press("Enter");
  }
  seen.found = await page.$eval("#maker .message", (element) => element.textContent.trim());

  // The page answers for a code that is put into its holes.
  await page.evaluate(() => document.querySelector("[name=way][value=hidden]").click());
  await page.keyboard.type(secret);
  await page.keyboard.press("Enter");
  seen.covered = await page.$$eval("#maker .cover", (pegs) => pegs.length);
  while (await page.$("#maker > .desk .row.current")) await page.click("#maker > .desk .row.current .primary");
  seen.hidden = await page.$eval("#maker .message", (element) => element.textContent.trim());

  // You break a code: by keys and by the mouse; a review by the worker.
  await openTab("breaker");
  await page.keyboard.type("1122");
  await page.keyboard.press("Enter");
  for (const color of [2, 2, 3, 3]) await page.click(`#breaker [data-color="${color}"]`);
  await page.click("#breaker .primary");
  seen.rows = await page.$$eval("#breaker > .desk .row:not(.blank)", (rows) => rows.length);
  await page.evaluate(() => [...document.querySelectorAll("#breaker button")].find((one) => one.innerText === "Review").click());
  await wait("#breaker .totals", "Skill");
  seen.moves = await page.$$eval("#breaker .move", (moves) => moves.length);

  // A position by its link, and the tree.
  await page.goto(`${address}#p4c6r-knuth/1122:01`);
  await wait("#analyst .advice caption", "256 codes");
  seen.position = await read("#analyst .status");
  await openTab("explorer");
  await page.waitForSelector("#explorer .icicle a");
  await page.click("#explorer .zoom");
  await wait("#explorer .figure", "256 candidates");
  seen.link = new URL(page.url()).hash;
  if (process.env.TREEGEN_SHEET) await page.screenshot({ path: `${process.env.TREEGEN_SHEET}/firefox-explorer.png` });
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
