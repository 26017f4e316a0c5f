package org.buftrail.it.leaktests;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Connections of an embedded database, where the option {@code resource} has them followed. */
public class ConnectionTests {
  private static Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:h2:mem:");
  }

  @Test
  void leakConnection() throws SQLException {
    connect().createStatement().execute("SELECT 1");
  }

  @Test
  void cleanConnection() throws SQLException {
    try (Connection connection = connect()) {
      connection.createStatement().execute("SELECT 1");
    }
  }
}
