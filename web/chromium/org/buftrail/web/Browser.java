package org.buftrail.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Headless Chromium with one page. */
public final class Browser implements AutoCloseable {
  /** Debian's, and what GitHub's runners bring. */
  private static final Path PROGRAM = first("/usr/bin/chromium", "/usr/bin/google-chrome");

  private static final Path DRIVER =
      first("/usr/bin/chromedriver", System.getenv("CHROMEWEBDRIVER") + "/chromedriver");
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final String TIMELINE = "devtools.timeline,disabled-by-default-devtools.timeline";
  private static final Pattern EVENT =
      Pattern.compile("\"name\":\"(\\w+)\",\"ph\":\"X\",\"pid\":\\d+,\"tdur\":(\\d+)");

  private final ChromeDriver driver;

  public Browser() {
    this(false);
  }

  /**
   * @param tracing whether the browser writes down what it spends time on, see {@link #traced}
   */
  public Browser(boolean tracing) {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(PROGRAM.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--force-device-scale-factor=1");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    if (tracing) {
      logs.enable(LogType.PERFORMANCE, Level.ALL);
      options.setExperimentalOption(
          "perfLoggingPrefs",
          Map.of("enableNetwork", false, "enablePage", false, "traceCategories", TIMELINE));
    }
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(DRIVER.toFile())
            .usingAnyFreePort()
            .build();
    driver = new ChromeDriver(service, options);
    size(1280, 900);
  }

  private static Path first(String one, String other) {
    return Files.isExecutable(Path.of(one)) ? Path.of(one) : Path.of(other);
  }

  /** Whether there is one on this machine (Debian: {@code chromium}, {@code chromium-driver}). */
  public static boolean isInstalled() {
    return Files.isExecutable(PROGRAM) && Files.isExecutable(DRIVER);
  }

  /** Opens a page and waits until it has drawn itself. */
  public Browser open(Path page) {
    return open(page.toUri().toString());
  }

  /** Opens an address and waits until the page has drawn itself. */
  public Browser open(String address) {
    driver.get(address);
    await("main");
    settle();
    return this;
  }

  /** Leaves the page, so that the next address is loaded and not only gone to. */
  public Browser leave() {
    driver.get("about:blank");
    return this;
  }

  public Browser size(int width, int height) {
    // The window's own frame is not part of the page: ask for the page's size.
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    driver.manage().window().setSize(new Dimension(width, height));
    return this;
  }

  public Browser scheme(String lightOrDark) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", lightOrDark))));
    return this;
  }

  public Browser print(boolean on) {
    driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", on ? "print" : ""));
    run("dispatchEvent(new Event('" + (on ? "beforeprint" : "afterprint") + "'))");
    return this;
  }

  public WebElement await(String css) {
    return new WebDriverWait(driver, PATIENCE)
        .until(d -> d.findElements(By.cssSelector(css)).stream().findFirst().orElse(null));
  }

  public void awaitText(String css, String text) {
    new WebDriverWait(driver, PATIENCE)
        .withMessage(() -> css + " says: " + text(css))
        .until(d -> text(css).contains(text));
  }

  /** Waits until an element says something else. */
  public void awaitOther(String css, String text) {
    new WebDriverWait(driver, PATIENCE).until(d -> !text(css).equals(text));
  }

  /** Lets the page draw two frames: observers and transitions have then had their turn. */
  public Browser settle() {
    driver.executeAsyncScript(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))");
    return this;
  }

  public String text(String css) {
    return texts(css).stream().findFirst().orElse("");
  }

  /** Reads again when the page has replaced an element in between. */
  public List<String> texts(String css) {
    return new WebDriverWait(driver, PATIENCE)
        .ignoring(StaleElementReferenceException.class)
        .until(d -> d.findElements(By.cssSelector(css)).stream().map(WebElement::getText).toList());
  }

  public List<String> attributes(String css, String name) {
    return driver.findElements(By.cssSelector(css)).stream()
        .map(element -> String.valueOf(element.getDomAttribute(name)))
        .toList();
  }

  public Browser click(String css) {
    await(css).click();
    return settle();
  }

  /** Moves the pointer to the middle of an element, whatever lies on top there. */
  public Browser pointAt(String css) {
    new Actions(driver).moveToElement(await(css)).perform();
    return settle();
  }

  public Browser clickAt(String css) {
    new Actions(driver).moveToElement(await(css)).click().perform();
    return settle();
  }

  /** Drags from one part of the width to another, at half the height. */
  public Browser drag(String css, double from, double to) {
    WebElement element = driver.findElement(By.cssSelector(css));
    int width = element.getSize().getWidth();
    new Actions(driver)
        .moveToElement(element, (int) (width * (from - 0.5)), 0)
        .clickAndHold()
        .moveToElement(element, (int) (width * (to - 0.5)), 0)
        .release()
        .perform();
    return this;
  }

  /** Opens the menu there. */
  public Browser menuAt(String css) {
    new Actions(driver).contextClick(await(css)).perform();
    return settle();
  }

  public Browser back() {
    driver.navigate().back();
    return settle();
  }

  public Browser clickText(String css, String text) {
    WebElement found =
        driver.findElements(By.cssSelector(css)).stream()
            .filter(element -> element.getText().equals(text))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no " + css + " says " + text));
    found.click();
    return settle();
  }

  public Browser focus(String css) {
    run("arguments[0].focus()", await(css));
    return this;
  }

  public Browser press(CharSequence... keys) {
    new Actions(driver).sendKeys(keys).perform();
    return settle();
  }

  public Object run(String script, Object... arguments) {
    Object result = driver.executeScript(script, arguments);
    return result == null ? "" : result;
  }

  public long number(String expression) {
    return ((Number) run("return " + expression)).longValue();
  }

  /** Keeps the whole page as a picture to be looked at. */
  public Browser screenshot(String name) {
    try {
      Files.createDirectories(SCREENSHOTS);
      Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nothing was asked of anybody, nothing was refused, nothing failed. */
  public void assertQuiet() {
    assertThat(number("performance.getEntriesByType('resource').length")).isZero();
    assertNoComplaint();
  }

  /** The browser had nothing to say: nothing was refused, nothing failed. */
  public void assertNoComplaint() {
    assertThat(driver.manage().logs().get(LogType.BROWSER).getAll())
        .extracting(LogEntry::getMessage)
        .isEmpty();
  }

  /**
   * What the browser's own tracing has written down: the microseconds of a processor that each
   * event took, by its name. To be asked once, at the end.
   */
  public Map<String, List<Long>> traced() {
    Map<String, List<Long>> found = new HashMap<>();
    for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
      Matcher event = EVENT.matcher(entry.getMessage());
      if (event.find()) {
        found
            .computeIfAbsent(event.group(1), name -> new ArrayList<>())
            .add(Long.valueOf(event.group(2)));
      }
    }
    return found;
  }

  /** Keeps the whole page as a picture, however long it is. */
  public Browser screenshotOfAll(String name, int width) {
    size(width, (int) number("document.documentElement.scrollHeight")).settle();
    return screenshot(name);
  }

  public void assertNoSidewaysScroll() {
    assertThat(number("document.documentElement.scrollWidth"))
        .isLessThanOrEqualTo(number("document.documentElement.clientWidth"));
  }

  /** Prints the page as the browser does, and keeps it to be looked at. */
  public Browser pdf(String name) {
    try {
      Object data = driver.executeCdpCommand("Page.printToPDF", Map.of()).get("data");
      Files.createDirectories(SCREENSHOTS);
      Files.write(
          SCREENSHOTS.resolve(name + ".pdf"), Base64.getDecoder().decode(String.valueOf(data)));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs axe, which knows what makes pages unusable for some. */
  public void assertAccessible() {
    run(axe());
    Object found =
        driver.executeAsyncScript(
            "const done = arguments[arguments.length - 1];"
                + "axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations"
                + ".filter(v => v.impact === 'serious' || v.impact === 'critical')"
                + ".map(v => v.id + ': ' + v.nodes.slice(0, 3)"
                + ".map(n => n.target + ' ' + n.failureSummary).join(' | '))))");
    List<String> violations = new ArrayList<>();
    ((List<?>) found).forEach(violation -> violations.add(String.valueOf(violation)));
    assertThat(violations).isEmpty();
  }

  private static String axe() {
    try (InputStream in = Browser.class.getResourceAsStream("/axe.min.js")) {
      assertThat(in).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Says yes to what the page asks. */
  public Browser accept() {
    return click("dialog.question button:last-child");
  }

  /** Lets downloads go to a directory. */
  public Browser downloadTo(Path directory) {
    driver.executeCdpCommand(
        "Browser.setDownloadBehavior",
        Map.of("behavior", "allow", "downloadPath", directory.toString()));
    return this;
  }

  @Override
  public void close() {
    driver.quit();
  }
}
