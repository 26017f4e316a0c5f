package org.buftrail.it.states;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import org.buftrail.web.Browser;
import org.jspecify.annotations.Nullable;

/** The browser in which pages are read, where there is one. */
final class Chromium implements AutoCloseable {
  /** Keeps in the page how often it was grey since it was opened. */
  private static final String WATCH =
      "window.wasGrey = 0; new MutationObserver(changes => changes.forEach(change => { if"
          + " (change.target.matches('main.old')) { window.wasGrey++; } })).observe(document.body,"
          + " {subtree: true, attributes: true, attributeFilter: ['class']})";

  private @Nullable Browser browser;

  static boolean isThere() {
    return Browser.isInstalled();
  }

  /** Reads a page that is refreshed by itself, or says that it could not be read. */
  void readLive(Cells cells, Scene scene, Map<String, Long> ledger) throws Exception {
    read(cells, Surface.late("live page", any -> live()), scene, ledger);
  }

  /** The page that was written at the end. */
  void readFile(Cells cells, Scene scene, Map<String, Long> ledger) throws Exception {
    Path page = scene.directory.resolve("flows.html");
    read(cells, Surface.of("page at shutdown", any -> file(page)), scene, ledger);
  }

  /** The page that tests leave. */
  void readFile(Cells cells, Path page, Map<String, Long> ledger) {
    String title = page.getFileName().toString();
    if (isThere()) {
      cells.take(
          title, file(page).move("allocated", "told").move("allocatedBytes", "bytes"), ledger);
    } else {
      cells.skip(title);
    }
  }

  private static void read(Cells cells, Surface page, Scene scene, Map<String, Long> ledger)
      throws Exception {
    if (isThere()) {
      cells.read(page, scene, ledger);
    } else {
      cells.skip(page.title());
    }
  }

  private Browser browser() {
    if (browser == null) {
      browser = new Browser();
    }
    return browser;
  }

  /** A page in a file. */
  private Told file(Path page) {
    browser().open(page);
    browser().await(".card");
    return PageReader.read(browser());
  }

  /** Opens the live page, and leaves it open. */
  void open(Scene scene) throws Exception {
    if (!isThere()) {
      return;
    }
    Matcher page = scene.page();
    browser().leave().open(page.group(1) + "#token=" + page.group(2));
    browser().await(".report .card");
    browser().run(WATCH);
  }

  /** What the live page shows by now. */
  private Told live() {
    if (browser().number("window.wasGrey") > 0) {
      throw new AssertionError("the live page was grey: " + browser().text("header [role=status]"));
    }
    return PageReader.read(browser());
  }

  @Override
  public void close() {
    if (browser != null) {
      browser.close();
    }
  }
}
