package org.buftrail.it.states;

import java.util.List;

/**
 * A state of the agent or of buffers, and the figures of the ledger that say what it is.
 *
 * @param title what it is called in the document
 * @param figures names in the ledger
 */
record State(String title, List<String> figures) {
  static State of(String title, String... figures) {
    return new State(title, List.of(figures));
  }
}
