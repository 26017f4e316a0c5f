package org.buftrail.museum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ExhibitTest {
  @Test
  void aValueThatIsTooLongForItsLineStandsOnTheNext() {
    List<String> head = List.of("// ISSUE a/b#1", "// CULPRIT a.B.c", "// CULPRIT", "// a.B.d");
    assertThat(Exhibit.values(head, "CULPRIT")).containsExactly("a.B.c", "a.B.d");
    assertThat(Exhibit.values(head, "ISSUE")).containsExactly("a/b#1");
    assertThat(Exhibit.values(head, "DEPS")).isEmpty();
  }

  @Test
  void thereAreFortyEachWithMethodsOfOneClassOrMore() throws IOException {
    assertThat(Exhibit.all()).hasSizeGreaterThanOrEqualTo(40);
    assertThat(Exhibit.all())
        .allSatisfy(
            each -> assertThat(each.culprits()).allMatch(name -> name.matches("[\\w.$<>]+")));
  }
}
