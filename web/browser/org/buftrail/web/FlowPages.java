package org.buftrail.web;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.model.Snapshot;
import org.buftrail.report.Reports;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Opens pages of flows in a browser. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FlowPages {
  final Browser browser = new Browser();
  private Path dir = Path.of("");

  @BeforeAll
  void makePages(@TempDir Path temporary) {
    dir = temporary;
  }

  /** Whatever became of a test that printed, the next one looks at the screen. */
  @AfterEach
  void lookAtTheScreen() {
    browser.print(false);
  }

  @AfterAll
  void close() {
    browser.close();
  }

  String label(String start) {
    return browser.attributes("[role=treeitem][aria-label^='" + start + "']", "aria-label").get(0);
  }

  List<String> leaves() {
    return browser.texts(".vbody .vrow .vcell:first-child");
  }

  void open(Snapshot snapshot) throws IOException {
    browser.open(write(snapshot));
  }

  Path write(Snapshot snapshot) throws IOException {
    Path page = dir.resolve("flows.html");
    Reports.write(snapshot, page);
    return page;
  }
}
